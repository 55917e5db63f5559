import Logging
import MQTTBridge
import Publishing
import RecordOutbox
import ServiceLifecycle
import SystemIO

/// Service that keeps the connection on which the matcher publishes its results.
struct PublisherService: NamedService {
    var publisher: MQTTPublisher
    var activation: Activation

    /// Creates the publisher.
    ///
    /// - Throws: `OutboxError`.
    static func make(_ configuration: MatcherConfiguration, logger: Logger) async throws -> MQTTPublisher {
        var broker = configuration.broker
        // A second connection needs another client identifier.
        broker.clientID += "-notices"
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: .now())
        return MQTTPublisher(configuration: broker, outbox: outbox, logger: logger)
    }

    func run() async throws {
        guard await activation.begun() else { return }
        await withGracefulShutdownHandler {
            await publisher.run()
        } onGracefulShutdown: {
            Task { _ = await publisher.finish(within: .seconds(2)) }
        }
    }
}
