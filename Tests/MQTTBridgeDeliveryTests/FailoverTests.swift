import BeaconModel
import MQTTBridge
import Publishing
import RecordContract
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

/// Two brokers, of which the first is preferred.
@Suite(.timeLimit(.minutes(10))) struct FailoverTests {
    private func configuration(_ ports: UInt16...) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(
            endpoints: ports.map { BrokerEndpoint(host: "127.0.0.1", port: $0) }, clientID: "gateway")
        configuration.connectTimeout = .seconds(2)
        return configuration
    }

    @Test("When the preferred broker dies the other one takes over, and when it is back it is used again")
    func failover() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        try await TestBroker.with(configuration: TestBroker.keeping(in: directories[0].path)) { first in
            try await TestBroker.with(configuration: TestBroker.keeping(in: directories[1].path)) { second in
                // What the first had taken and not yet delivered when it was killed is another test's matter: the
                // consumer has everything before.
                let consumers = [Consumer(), Consumer()]
                try await consumers[0].connect(port: first.port)
                try await consumers[1].connect(port: second.port)
                try await DeliveryRig.with(configuration(first.port, second.port)) { rig in
                    await rig.publish(1...200)
                    #expect(await eventually { await consumers[0].has(rig.positions(1...200)) })
                    await first.crash()
                    await rig.publish(201...400)
                    #expect(await eventually { await consumers[1].has(rig.positions(201...400)) })
                    #expect(await rig.publisher.connectedTo?.broker.port == second.port)
                    try await first.restart()
                    // It may have forgotten the session, which was younger than what it had last saved.
                    await consumers[0].disconnect(isKilled: true)
                    try await consumers[0].connect(port: first.port)
                    #expect(await eventually { await rig.publisher.connectedTo?.broker.port == first.port })
                    await rig.publish(401...600)
                    #expect(await eventually { await consumers[0].has(rig.positions(401...600)) })
                    let received = await consumers[0].tally.received.union(consumers[1].tally.received)
                    print("fail-over: sent 600 received \(received.count)")
                    #expect(received == rig.positions(1...600))
                }
                for consumer in consumers { await consumer.disconnect() }
            }
        }
    }

    @Test("Whoever listens at the broker that is left for the preferred one hears that the gateway is gone from there")
    func leaving() async throws {
        try await TestBroker.with { first in
            await first.crash()
            try await TestBroker.with { second in
                let topic = SyntheticRecords.root + "/status"
                let announcement = Announcement(
                    will: MQTTMessage(topic: topic, payload: Array("lost".utf8), isRetained: true),
                    online: { _ in MQTTMessage(topic: topic, payload: Array("online".utf8), isRetained: true) },
                    farewell: { _ in MQTTMessage(topic: topic, payload: Array("stopping".utf8), isRetained: true) })
                let heard = try await second.subscribe(to: topic)
                try await DeliveryRig.with(
                    configuration(first.port, second.port), announcement: announcement
                ) { rig in
                    #expect(await heard.first()?.hasSuffix(" online") == true)
                    try await first.restart()
                    #expect(await heard.first()?.hasSuffix(" lost") == true)
                    #expect(await eventually { await rig.publisher.connectedTo?.broker.port == first.port })
                }
            }
        }
    }

    @Test("A host whose name isn't known doesn't keep from the other one")
    func unknownHost() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            var configuration = configuration(1, broker.port)
            configuration.endpoints[0].host = "broker.invalid"
            try await DeliveryRig.with(configuration, preferredInterval: .seconds(3600)) { rig in
                await rig.publish(1...100)
                await rig.expectDelivery("name of the first host unknown", 1...100, to: consumer)
                let error = await rig.publisher.lastError
                #expect(error?.what.contains("unknown host name") == true, "\(error?.what ?? "")")
            }
            await consumer.disconnect()
        }
    }
}
