import Publishing
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import MQTTBridge
@testable import RecordOutboxTests

/// A broker of MQTT 3.1.1 that ends the connection of whoever publishes what isn't theirs.
@Suite(.timeLimit(.minutes(10))) struct ClosedOverTopicTests {
    @Test("A state over which the broker closes the connection ends three at most; others and all records arrive")
    func state() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let states = try await TestSubscriber(port: broker.port, filter: "state/#", options: [])
            let proxy = try CuttingProxy(to: broker.port)
            proxy.close { $0 == "state/3" }
            var configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            configuration.version = .threeOneOne
            let log = KeptLog()
            try await DeliveryRig.with(configuration, log: log) { rig in
                for number in 1...5 { await rig.publisher.setState(Array("on".utf8), topic: "state/\(number)") }
                #expect(
                    await eventually { log.lines.contains { $0.contains("closed by the broker because of a topic") } })
                await rig.publish(1...100)
                await rig.expectDelivery("a state that ends connections", 1...100, to: consumer)
                #expect(proxy.counts.closedOver == Array(repeating: "state/3", count: proxy.counts.closedOver.count))
                #expect(proxy.counts.closedOver.count <= 3)
            }
            var topics: Set<String> = []
            while topics.count < 4, let line = await states.lines.first() { topics.insert(String(line.prefix(7))) }
            #expect(topics == ["state/1", "state/2", "state/4", "state/5"])
            await states.end()
            proxy.close()
            await consumer.disconnect()
        }
    }
}
