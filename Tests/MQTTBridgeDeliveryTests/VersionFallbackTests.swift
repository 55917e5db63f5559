import MQTTBridge
import Publishing
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import RecordOutboxTests

/// Brokers that don't speak MQTT 5, each in its way.
@Suite(.timeLimit(.minutes(10))) struct VersionFallbackTests {
    @Test(
        "A broker that refuses MQTT 5, or closes three connections of it, gets 3.1.1, and the next time at once",
        arguments: [(VersionFiveTreatment.refused, [5, 4]), (.closed, [5, 5, 5, 4])] as [(_, [UInt8])])
    func fallback(_ treatment: VersionFiveTreatment, _ levels: [UInt8]) async throws {
        let log = KeptLog()
        let directory = try TemporaryDirectory()
        let memory = BrokerMemory(path: directory.path + "/brokers.json")
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(treatment)
            let configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            try await DeliveryRig.with(configuration, memory: memory, log: log) { rig in
                await rig.publish(1...100)
                await rig.expectDelivery("MQTT 5 \(treatment)", 1...100, to: consumer)
                #expect(await rig.publisher.connectedTo?.version == .threeOneOne)
                #expect(proxy.counts.levels == levels)
                proxy.cut()
                await rig.publish(101...200)
                await rig.expectDelivery("MQTT 5 \(treatment), after a cut", 1...200, to: consumer)
                // The records may have passed before the proxy cut.
                #expect(await eventually { proxy.counts.levels == levels + [4] }, "it is known while it runs")
            }
            let warnings = log.lines.filter { $0.hasPrefix("warning using MQTT 3.1.1") }
            #expect(warnings.count == 1, "\(log.lines)")
            try await DeliveryRig.with(configuration, memory: memory) { rig in
                await rig.publish(201...300)
                await rig.expectDelivery("MQTT 5 \(treatment), after a restart", 1...300, to: consumer)
                #expect(await eventually { proxy.counts.levels == levels + [4, 4] }, "it is known after a restart")
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("A broker that speaks MQTT 5 is spoken to in it")
    func five() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            let configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            try await DeliveryRig.with(configuration) { rig in
                #expect(await eventually { await rig.publisher.connectedTo?.version == .five })
                #expect(proxy.counts.levels == [5])
            }
            proxy.close()
        }
    }

    @Test(
        "A broker that has accepted MQTT 5 isn't given up to 3.1.1 by connections that it closes, also after a restart")
    func steadfast() async throws {
        let directory = try TemporaryDirectory()
        let memory = BrokerMemory(path: directory.path + "/brokers.json")
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            let configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            for run in 1...2 {
                // In the first run it is known from a connection, in the second from the file alone.
                if run == 2 { proxy.set(.closed, times: 5) }
                try await DeliveryRig.with(configuration, memory: memory) { rig in
                    #expect(await eventually { await rig.publisher.connectedTo?.version == .five })
                    proxy.set(.closed, times: 5)
                    proxy.cut()
                    #expect(await eventually { proxy.counts.versionsRefused == 5 * (2 * run - 1) })
                    #expect(await eventually { await rig.publisher.connectedTo?.version == .five })
                }
            }
            #expect(proxy.counts.levels.allSatisfy { $0 == 5 }, "\(proxy.counts.levels)")
            proxy.close()
        }
    }

    @Test("A broker that closes one connection without a word, as it does when it stops, is asked for MQTT 5 again")
    func once() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(.closed, times: 1)
            let configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            try await DeliveryRig.with(configuration) { rig in
                #expect(await eventually { await rig.publisher.connectedTo?.version == .five })
                #expect(proxy.counts.levels == [5, 5])
            }
            proxy.close()
        }
    }

    @Test("A broker that is asked for MQTT 5 only and refuses it is an error that names what to do")
    func fiveOnly() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(.refused)
            var configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            configuration.version = .five
            try await DeliveryRig.with(configuration) { rig in
                #expect(await eventually { await rig.publisher.lastError != nil })
                let error = await rig.publisher.lastError
                #expect(error?.remedy == "set mqtt.version to \"auto\"")
                #expect(proxy.counts.levels.allSatisfy { $0 == 5 })
            }
            proxy.close()
        }
    }
}
