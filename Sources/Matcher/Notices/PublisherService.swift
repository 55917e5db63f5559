import Logging
import MQTTBridge
import Publishing
import RecordOutbox
import ServiceLifecycle
import SystemIO

/// Keeps the connection on which the matcher says what it found out.
struct PublisherService: NamedService {
    var publisher: MQTTPublisher
    var duty: Duty

    /// - Throws: `OutboxError`.
    static func make(_ configuration: MatcherConfiguration, logger: Logger) async throws -> MQTTPublisher {
        var broker = configuration.broker
        // Another connection has to have another name.
        broker.clientID += "-notices"
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: .now())
        return MQTTPublisher(configuration: broker, outbox: outbox, logger: logger)
    }

    func run() async throws {
        guard await duty.begun() else { return }
        await withGracefulShutdownHandler {
            await publisher.run()
        } onGracefulShutdown: {
            Task { _ = await publisher.finish(within: .seconds(2)) }
        }
    }
}
