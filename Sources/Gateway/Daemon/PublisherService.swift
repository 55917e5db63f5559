import Logging
import MQTTBridge
import ServiceLifecycle

/// Runs the publisher; at the shutdown it delivers what waits and says good-bye.
struct PublisherService: Service {
    var publisher: MQTTPublisher
    var logger: Logger

    /// With everything else in the shutdown, less than the 2 s that a service manager's user notices.
    private static let farewellLimit: Duration = .milliseconds(1200)

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await publisher.run() }
            group.addTask {
                try? await gracefulShutdown()
                let undelivered = await publisher.finish(within: Self.farewellLimit)
                if undelivered > 0 {
                    logger.warning("records were not delivered", metadata: ["count": "\(undelivered)"])
                }
            }
            await group.waitForAll()
        }
    }
}
