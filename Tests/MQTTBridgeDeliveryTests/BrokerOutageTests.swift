import BeaconModel
import Glibc
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SyntheticRecords
import SystemIO
import TestSupport
import TestValues
import Testing

/// A real mosquitto that fails; what a consumer with a session has received in the end is compared with what entered the
/// outbox.
@Suite(.timeLimit(.minutes(10))) struct BrokerOutageTests {
    /// Seconds for which the broker stands still at least; in any case until it is noticed.
    private static let pause = TestScale.amount(0, full: 60)

    private func configuration(_ port: UInt16) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "gateway", keepAlive: 5)
        configuration.connectTimeout = .seconds(2)
        return configuration
    }

    @Test("A broker that stands still for longer than the keep-alive allows loses nothing")
    func standstill() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with(configuration: TestBroker.keeping(in: directory.path)) { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            try await DeliveryRig.with(configuration(broker.port)) { rig in
                async let publishing: Void = rig.publish(1...3000, rate: 400)
                _ = await eventually { await consumer.tally.received.count >= 100 }
                await broker.pause()
                let start = ContinuousClock.now
                // After a keep-alive libmosquitto asks, and after another it gives up.
                #expect(await eventually { await !rig.publisher.isConnected })
                try await Task.sleep(until: start + .seconds(Self.pause), clock: .continuous)
                await broker.resume()
                await publishing
                await rig.expectDelivery(
                    "broker stood still for \((ContinuousClock.now - start).components.seconds) s", 1...3000,
                    to: consumer)
            }
            await consumer.disconnect()
        }
    }

    @Test("A broker that refuses connections for a while loses nothing")
    func refusal() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(.refusing)
            try await DeliveryRig.with(configuration(proxy.port)) { rig in
                await rig.publish(1...500)
                #expect(await eventually { await rig.publisher.lastError?.cause == .system(ECONNREFUSED) })
                proxy.set(.passing)
                await rig.publish(501...1000)
                await rig.expectDelivery("broker refused", 1...1000, to: consumer)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("A broker that accepts the connection and says nothing is given up, and loses nothing")
    func silence() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(.silent)
            try await DeliveryRig.with(configuration(proxy.port)) { rig in
                await rig.publish(1...500)
                #expect(await eventually { await rig.publisher.lastError?.cause == .timedOut })
                proxy.set(.passing)
                await rig.expectDelivery("broker said nothing", 1...500, to: consumer)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("A broker that is killed and has forgotten its sessions gets what it hadn't acknowledged")
    func lostSession() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            try await DeliveryRig.with(configuration(proxy.port)) { rig in
                _ = await eventually { await rig.publisher.isConnected }
                // The broker takes nothing more from here on.
                proxy.set(.silent)
                await rig.publish(1...500)
                await broker.crash()
                try await broker.restart()
                let consumer = Consumer()
                try await consumer.connect(port: broker.port)
                proxy.cut()
                proxy.set(.passing)
                await rig.expectDelivery("broker forgot its sessions", 1...500, to: consumer)
                await consumer.disconnect()
            }
            proxy.close()
        }
    }

    @Test(
        "A broker that is killed again and again while records come loses nothing at a consumer that confirms, nor the order at one that insists on it",
        arguments: [false, true])
    func crashes(insistsOnOrder: Bool) async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with(configuration: TestBroker.keeping(in: directory.path, autosave: 10)) { broker in
            let consumer = Consumer(order: insistsOnOrder ? DeliveryRig.records : nil)
            try await consumer.connect(port: broker.port)
            let rules = OutboxRules(drainRate: 1_000_000, confirmation: .consumer, confirmTimeout: .seconds(1))
            try await ConfirmingConsumer.with(consumer, port: broker.port) { storedTopic in
                try await DeliveryRig.with(configuration(broker.port), rules: rules, storedTopic: storedTopic) { rig in
                    let crashes = TestScale.amount(2, full: 4)
                    let count = UInt64(1000 * crashes)
                    async let publishing: Void = rig.publish(1...count, rate: 800)
                    for part in 1...crashes {
                        _ = await eventually { await consumer.tally.received.count >= part * 600 }
                        await broker.crash()
                        try await broker.restart()
                    }
                    await publishing
                    await rig.expectDelivery(
                        "broker killed \(crashes) times" + (insistsOnOrder ? ", order insisted on" : ""), 1...count,
                        to: consumer,
                        inOrder: false)
                    #expect(await consumer.has(rig.positions(1...count)))
                    #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
                }
            }
            await consumer.disconnect()
        }
    }
}
