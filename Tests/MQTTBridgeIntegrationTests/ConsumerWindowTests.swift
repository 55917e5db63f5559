import Logging
import MQTTBridge
import Publishing
import TestSupport
import Testing

@Suite struct ConsumerWindowTests {
    // 0x21 is the property Receive Maximum (MQTT 5.0, section 3.1.2.11.3).
    @Test func `The broker is told how many messages a consumer takes at once`() async throws {
        let broker = try SilentBroker()
        defer { broker.close() }
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "consumer")
        configuration.inFlight = 513
        configuration.version = .five
        let consumer = MQTTConsumer(
            configuration: configuration, filters: ["a/#"],
            logger: Logger(label: "consumer") { _ in
                SwiftLogNoOpLogHandler()
            }, take: { _ in .stored([]) })
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        #expect(await eventually { !broker.connect.isEmpty })
        running.cancel()
        _ = try? await running.value
        let properties = broker.connect.dropFirst(12)
        #expect(properties.indices.contains { properties[$0...].starts(with: [0x21, 2, 1]) }, "\(broker.connect)")
    }
}
