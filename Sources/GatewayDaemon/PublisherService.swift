package import Logging
package import MQTTBridge
package import RecordOutbox
import ServiceLifecycle
import SystemIO

/// Runs the publisher and expires what is too old; at the shutdown it delivers what waits and says good-bye.
package struct PublisherService: Service {
    package var publisher: MQTTPublisher
    package var outbox: Outbox
    package var logger: Logger

    /// With everything else in the shutdown, less than the 2 s that a service manager's user notices.
    private static let farewellLimit: Duration = .milliseconds(1200)

    package func run() async throws {
        async let log: Void = logNotices()
        await publish()
        await outbox.close()
        await log
    }

    /// Until the outbox is closed.
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
                        "records wait on the disk; they are delivered after the next start",
                        metadata: ["count": "\(undelivered)"])
                }
            }
            await group.waitForAll()
        }
    }
}
