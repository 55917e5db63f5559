import Logging
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SyntheticRecords
import SystemIO

/// Says, as a consumer does, up to where it has stored everything.
enum ConfirmingConsumer {
    private static let topic = SyntheticRecords.root + "/stored"

    /// Runs `body`, to which it gives the topic, beside a consumer that publishes its progress at a broker.
    static func with<Result>(
        _ consumer: Consumer, port: UInt16, isolation: isolated (any Actor)? = #isolation,
        _ body: (_ storedTopic: String) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "consumer")
        logger.logLevel = .critical
        let publisher = MQTTPublisher(
            configuration: BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "confirming"),
            outbox: try await Outbox.open(nil, rules: OutboxRules(), now: .now()),
            backoff: Backoff(longest: .milliseconds(100)), logger: logger)
        let running = Task { await publisher.run() }
        let saying = Task {
            while !Task.isCancelled {
                let through = await consumer.progress.through
                // It is said again although it is the same: this shows that the consumer is at work.
                await publisher.publishOnce(
                    MQTTMessage(
                        topic: topic, payload: JSON.encode(through), isRetained: true))
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
        defer { running.cancel() }
        do {
            let result = try await body(topic)
            saying.cancel()
            _ = await publisher.finish(within: .seconds(1))
            return result
        } catch {
            saying.cancel()
            _ = await publisher.finish(within: .seconds(1))
            throw error
        }
    }
}
