import BeaconModel
import InteractionStore
import Logging
import ServiceLifecycle
import SystemIO

/// Deletes what is older than it may be, at the start and every hour.
struct RetentionService: Service {
    var store: SharedStore
    var days: Int64
    var logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    let now = WallClock.now().microseconds / 1_000_000
                    let deletion = try store.use { try $0.enforceRetention(days: days, now: now) }
                    if deletion.interactions + deletion.subjects > 0 {
                        logger.info(
                            "deleted what is older than it may be",
                            metadata: [
                                "interactions": "\(deletion.interactions)", "subjects": "\(deletion.subjects)",
                            ])
                    }
                } catch {
                    logger.error("can't delete what is too old", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: .seconds(3600))
            }
        }
    }
}
