package import Logging
package import MQTTBridge
package import RecordOutbox
import ServiceLifecycle
import SystemIO

/// Runs the publisher and expires old records. At shutdown it delivers waiting records and the farewell.
package struct PublisherService: Service {
    package var publisher: MQTTPublisher
    package var outbox: Outbox
    package var logger: Logger

    /// Maximum duration of the farewell. With the rest of the shutdown it stays below the 2 s that the user of a
    /// service manager notices.
    private static let farewellLimit: Duration = .milliseconds(1200)

    package func run() async throws {
        async let log: Void = logNotices()
        await publish()
        await outbox.close()
        await log
    }

    /// Logs the notices of the outbox until it is closed.
    private func logNotices() async {
        for await notice in outbox.notices { notice.log(to: logger) }
    }

    private func publish() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await cancelWhenGracefulShutdown {
                    while true {
                        await outbox.expire(at: .now())
                        try await Task.sleep(for: .seconds(60))
                    }
                }
            }
            group.addTask { await publisher.run() }
            group.addTask {
                try? await gracefulShutdown()
                let undelivered = await publisher.finish(within: Self.farewellLimit)
                if undelivered > 0 {
                    logger.notice(
                        "undelivered records on disk, delivered after the next start",
                        metadata: ["count": "\(undelivered)"])
                }
            }
            await group.waitForAll()
        }
    }
}
