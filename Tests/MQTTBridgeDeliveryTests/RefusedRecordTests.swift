import Publishing
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import MQTTBridge
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

/// Records that a broker of MQTT 5 doesn't take, for each reason that it may give.
@Suite(.timeLimit(.minutes(10))) struct RefusedRecordTests {
    private static let reasons: [UInt8] = [0x80, 0x83, 0x87, 0x90, 0x97, 0x99]

    private func configuration(_ port: UInt16) -> BrokerConfiguration {
        BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "gateway")
    }

    @Test(
        "A topic that the broker refuses: its records wait, others arrive, and they arrive once it is allowed",
        arguments: reasons)
    func topic(_ reason: UInt8) async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            let topic = DeliveryRig.records.record(1).topic
            proxy.refuse { name, _ in name == topic ? reason : nil }
            let log = KeptLog()
            try await DeliveryRig.with(configuration(proxy.port), log: log) { rig in
                await rig.publish(1...70)
                #expect(await eventually { await rig.publisher.acknowledgedRecords == 60 })
                #expect(await eventually { await rig.outbox.withheld == 10 })
                #expect(await rig.outbox.waiting == 10)
                #expect(await rig.outbox.status(at: .now()).refused == 0)
                #expect(await rig.publisher.trouble?.contains("rejects messages on \(topic)") == true)
                await rig.publish(71...140)
                #expect(await eventually { await rig.publisher.acknowledgedRecords == 120 })
                #expect(proxy.counts.connections == 1, "the connection serves the others")
                proxy.refuse { _, _ in nil }
                await rig.expectDelivery("refused with \(reason) for a while", 1...140, to: consumer)
                #expect(await eventually { await rig.outbox.waiting == 0 })
                #expect(await rig.publisher.trouble == nil)
            }
            let lines = log.lines.filter { $0.hasPrefix("error records rejected by the broker") }
            #expect(lines.count == 1, "\(log.lines)")
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("A record that the broker refuses for ever doesn't keep back those that follow it, and is kept")
    func poison() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            let first = Array(#""sequence":1}"#.utf8)
            proxy.refuse { _, rest in rest.suffix(first.count) == first[...] ? 0x99 : nil }
            try await DeliveryRig.with(configuration(proxy.port)) { rig in
                for start in [1, 71, 141] as [UInt64] {
                    await rig.publish(start...(start + 69))
                    #expect(await eventually { await rig.publisher.acknowledgedRecords == start + 68 })
                }
                #expect(await rig.outbox.waiting == 1)
                proxy.refuse { _, _ in nil }
                // What isn't taken comes after those that are.
                await rig.expectDelivery("one refused for a while", 1...210, to: consumer, inOrder: false)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("Records that are longer than the broker takes wait until it takes them")
    func tooLong() async throws {
        try await TestBroker.with(configuration: "allow_anonymous true\nmax_packet_size 300") { broker in
            try await DeliveryRig.with(configuration(broker.port)) { rig in
                await rig.publish(1...20)
                #expect(await eventually { await rig.publisher.trouble?.contains("Packet too large") == true })
                #expect(await rig.outbox.waiting == 20)
                await broker.stop()
                try await broker.restart(configuration: "allow_anonymous true")
                #expect(await eventually { await rig.publisher.acknowledgedRecords == 20 })
                #expect(await rig.outbox.status(at: .now()).refused == 0)
            }
        }
    }
}
