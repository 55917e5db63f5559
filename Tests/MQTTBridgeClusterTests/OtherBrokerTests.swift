import BeaconModel
import Logging
import MQTTBridge
import Publishing
import RecordContract
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import MQTTBridgeDeliveryTests
@testable import RecordOutbox
@testable import RecordOutboxTests

/// Brokers that speak 3.1.1 only, one of each, as Debian ships them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OtherBrokerTests {
    @Test(
        "NATS: 3.1.1 is found, records, status, will, presence and commands work, and kill -9 loses nothing",
        .enabled(if: TestNATS.isInstalled, "nats-server isn't installed"))
    func nats() async throws {
        try await TestNATS.with { servers in
            let port = servers.ports[0]
            try await states(port, subscriber: "retained over a wildcard too", filters: ["presence", "+"])
            try await lifecycle(port)
            try await crash(
                "NATS killed", port, crash: { await servers.crash(0) }, restart: { try await servers.start(0) })
        }
    }

    @Test(
        "RabbitMQ: 3.1.1 is found, records, status, will, presence and commands work, and kill -9 loses nothing",
        .enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func rabbitMQ() async throws {
        try await TestRabbitMQ.with { nodes in
            let port = nodes.ports[0]
            // Over a wildcard it gives nobody what is retained.
            try await states(port, subscriber: "retained on its topic", filters: ["presence"])
            try await lifecycle(port)
            try await crash(
                "RabbitMQ killed", port, crash: { await nodes.crash(0) }, restart: { try await nodes.start(0) })
        }
    }

    // One message ended each connection of a matcher, of all gateways' records, for good.
    @Test(
        "A message that no client can read is given up after five connections, with what waits, and others come",
        .enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func unreadable() async throws {
        try await TestRabbitMQ.with { nodes in
            var configuration = configuration(nodes.ports[0])
            configuration.clientID = "consumer"
            configuration.version = .threeOneOne
            let taken = LockedValue<[String]>([])
            let log = KeptLog()
            let consumer = MQTTConsumer(
                configuration: configuration, filters: ["a/#"], backoff: Backoff(longest: .milliseconds(100)),
                logger: Logger(label: "consumer") { _ in log },
                take: { messages in
                    taken.withLock { $0 += messages.map(\.topic) }
                    return .stored([])
                })
            let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
            #expect(await eventually { log.lines.contains { $0.contains("connected to the broker") } })
            // libmosquitto publishes no such topic.
            let script = """
                import socket, struct, sys
                s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                def text(value): return struct.pack(">H", len(value)) + value
                def packet(kind, body): s.sendall(bytes([kind, len(body)]) + body)
                packet(0x10, text(b"MQTT") + bytes([4, 2, 0, 60]) + text(b"thief"))
                assert s.recv(4)[3] == 0
                packet(0x32, text(b"a/\\x01") + struct.pack(">H", 1) + b"x")
                assert s.recv(4)[0] == 0x40
                """
            try await eventuallySubscribed(nodes.ports[0], taken)
            let poison = try await ChildProcess.run("python3", ["-c", script, "\(nodes.ports[0])"])
            #expect(poison.status == 0, "\(poison.errorOutput)")
            #expect(await eventually { log.lines.contains { $0.contains("unreadable message") } })
            taken.withLock { $0 = [] }
            try await eventuallySubscribed(nodes.ports[0], taken)
            running.cancel()
            _ = try? await running.value
        }
    }

    /// Publishes until something arrives: what comes before the subscription holds is lost.
    private func eventuallySubscribed(_ port: UInt16, _ taken: LockedValue<[String]>) async throws {
        #expect(
            try await eventually(within: .seconds(60)) {
                _ = try await ChildProcess.run(
                    "mosquitto_pub",
                    ["-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311", "-q", "1", "-t", "a/b", "-m", "x"])
                return taken.withLock { !$0.isEmpty }
            })
    }

    private static let root = SyntheticRecords.root + "/beacon/b/1/2"

    private func configuration(_ port: UInt16) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "gateway")
        configuration.connectTimeout = .seconds(5)
        return configuration
    }

    /// A presence is there for who comes later, and gone for who comes after it was emptied.
    private func states(_ port: UInt16, subscriber name: String, filters: [String]) async throws {
        try await DeliveryRig.with(configuration(port)) { rig in
            #expect(await eventually { await rig.publisher.connectedTo?.version == .threeOneOne })
            let topic = Self.root + "/presence"
            await rig.publisher.setState(Array("present".utf8), topic: topic)
            for filter in filters {
                let arrives = try await eventually {
                    let late = try await TestSubscriber(port: port, filter: "\(Self.root)/\(filter)")
                    let first = await firstLine(late, within: .seconds(1))
                    await late.end()
                    return first == "\(topic) present"
                }
                #expect(arrives, "\(name): \(filter)")
            }
            await rig.publisher.setState([], topic: topic)
            let isGone = try await eventually {
                let late = try await TestSubscriber(port: port, filter: topic)
                let first = await firstLine(late, within: .seconds(1))
                await late.end()
                return first == nil
            }
            #expect(isGone)
        }
    }

    private func firstLine(_ subscriber: TestSubscriber, within limit: Duration) async -> String? {
        let lines = subscriber.lines
        let alarm = Task {
            try? await Task.sleep(for: limit)
            await subscriber.end()
        }
        defer { alarm.cancel() }
        return await lines.first()
    }

    /// What the gateway says of itself, and what others tell it.
    private func lifecycle(_ port: UInt16) async throws {
        let topic = SyntheticRecords.root + "/status"
        let announcement = Announcement(
            will: MQTTMessage(topic: topic, payload: Array("lost".utf8), isRetained: true),
            online: { _ in MQTTMessage(topic: topic, payload: Array("online".utf8), isRetained: true) },
            farewell: { _ in MQTTMessage(topic: topic, payload: Array("stopping".utf8), isRetained: true) })
        let heard = try await TestSubscriber(port: port, filter: topic)
        let proxy = try CuttingProxy(to: port)
        try await DeliveryRig.with(configuration(proxy.port), announcement: announcement) { rig in
            #expect(await heard.lines.first() == "\(topic) online")
            let commands = await rig.publisher.subscribe(to: SyntheticRecords.root + "/command/+")
            // The subscription's answer comes before that of the record.
            await rig.publish(1...1)
            #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
            let sent = try await ChildProcess.run(
                "mosquitto_pub",
                [
                    "-p", "\(port)", "-V", "mqttv311", "-q", "1", "-t", SyntheticRecords.root + "/command/rescan", "-m",
                    "now",
                ])
            #expect(sent.status == 0)
            #expect(await commands.first { _ in true }?.payload == Array("now".utf8))
            proxy.cut()
            #expect(await heard.lines.first { !$0.hasSuffix(" online") } == "\(topic) lost")
            #expect(await heard.lines.first() == "\(topic) online")
        }
        #expect(await heard.lines.first() == "\(topic) stopping")
        proxy.close()
        await heard.end()
    }

    private func crash(
        _ name: String, _ port: UInt16, crash: () async -> Void, restart: () async throws -> Void
    ) async throws {
        let consumer = Consumer()
        try await consumer.connect(port: port)
        try await DeliveryRig.with(configuration(port)) { rig in
            async let publishing: Void = rig.publish(1...3000, rate: 500)
            #expect(await eventually { await consumer.tally.received.count >= 500 })
            await crash()
            try await restart()
            await publishing
            await rig.expectDelivery(name, 1...3000, to: consumer, inOrder: false)
        }
        await consumer.disconnect()
    }
}
