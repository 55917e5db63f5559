import BeaconModel
import Glibc
import SyntheticRecords
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import MQTTBridge
@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox

/// What libmosquitto 2.0.11 does by itself and nobody would expect; each was met by somebody.
@Suite(.timeLimit(.minutes(10))) struct LibraryTrapTests {
    private func configuration(_ port: UInt16) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "gateway")
        configuration.connectTimeout = .seconds(2)
        return configuration
    }

    @Test(
        "It acknowledges before the consumer has stored: a consumer killed again and again loses nothing all the same")
    func acknowledgedTooEarly() async throws {
        var generator = SeededGenerator("consumer killed")
        let directory = try TemporaryDirectory()
        try await TestBroker.with(configuration: TestBroker.keeping(in: directory.path)) { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let rules = OutboxRules(drainRate: 1_000_000, confirmation: .consumer, confirmTimeout: .seconds(1))
            try await ConfirmingConsumer.with(consumer, port: broker.port) { storedTopic in
                try await DeliveryRig.with(configuration(broker.port), rules: rules, storedTopic: storedTopic) { rig in
                    async let publishing: Void = rig.publish(1...3000, rate: 1000)
                    for _ in 1...15 {
                        let wanted = await consumer.tally.received.count + Int.random(in: 1...150, using: &generator)
                        _ = await eventually(within: .seconds(2)) { await consumer.tally.received.count >= wanted }
                        await consumer.disconnect(isKilled: true)
                        try await consumer.connect(port: broker.port)
                    }
                    await publishing
                    await rig.expectDelivery("consumer killed 15 times", 1...3000, to: consumer, inOrder: false)
                }
            }
            await consumer.disconnect()
        }
    }

    @Test(
        "It queues while it says that there is no connection: what is offered again comes no more often than it has to")
    func queuedWithoutConnection() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            var configuration = configuration(proxy.port)
            configuration.inFlight = 20
            try await DeliveryRig.with(configuration) { rig in
                _ = await eventually { await rig.publisher.isConnected }
                for round in 0..<5 {
                    proxy.cut()
                    let first = UInt64(round) * 200 + 1
                    await rig.publish(first...first + 199)
                    #expect(await eventually { await consumer.has(rig.positions(1...first + 199)) })
                }
                await rig.expectDelivery("published without a connection", 1...1000, to: consumer)
                #expect(await consumer.tally.duplicates <= 5 * 20)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("Its queue before the first connection costs the square of its length: it is never filled")
    func longQueue() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(.refusing)
            try await DeliveryRig.with(configuration(proxy.port)) { rig in
                await rig.publish(1...20_000)
                let status = await rig.outbox.status(at: .now())
                #expect(status.records == 20_000, "all wait in the outbox")
                proxy.set(.passing)
                await rig.expectDelivery("20,000 before the first connection", 1...20_000, to: consumer)
                #expect(await consumer.tally.duplicates == 0)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("It takes any number of messages, of which it mistakes some for others beyond 65,535: only a window is given")
    func window() async throws {
        let broker = try SilentBroker()
        var configuration = configuration(broker.port)
        configuration.inFlight = 30
        try await DeliveryRig.with(configuration) { rig in
            await rig.publish(1...500)
            #expect(await eventually { broker.count >= 30 })
            try await Task.sleep(for: .milliseconds(200))
            #expect(broker.count == 30)
        }
        broker.close()
    }

    @Test("A broker of MQTT 5 that takes fewer messages at once gets fewer")
    func receiveMaximum() async throws {
        let broker = try SilentBroker(receiveMaximum: 7)
        try await DeliveryRig.with(configuration(broker.port)) { rig in
            await rig.publish(1...500)
            #expect(await eventually { broker.count >= 7 })
            try await Task.sleep(for: .milliseconds(200))
            #expect(broker.count == 7)
        }
        broker.close()
    }

    @Test("Its own network thread ends without a word: whatever fails, the next attempt is made")
    func everyFailure() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let lines =
            "allow_anonymous true\nuser root\ncafile \(certificates.authority)\n"
            + "certfile \(server.certificate)\nkeyfile \(server.key)"
        try await TestBroker.with(configuration: lines) { broker in
            let proxy = try CuttingProxy(to: broker.port)
            var configuration = configuration(proxy.port)
            configuration.endpoints.append(BrokerEndpoint(host: "broker.invalid", port: 1883))
            var tls = TLSConfiguration()
            // The file isn't there yet.
            tls.authority = .file(certificates.path + "/later.pem")
            configuration.tls = tls
            try await DeliveryRig.with(configuration) { rig in
                await rig.publish(1...100)
                func expect(_ name: String, _ isExpected: @Sendable (MQTTError.Cause) -> Bool) async {
                    // A resolver may take its time over an unknown host, and the next attempt follows at once.
                    let isMet = await eventually(within: .seconds(90)) {
                        (await rig.publisher.lastError?.cause).map(isExpected) == true
                    }
                    #expect(isMet, "\(name)")
                }
                await expect("no file") { if case .credentials = $0 { true } else { false } }
                let other = try await TestCertificates()
                try FileContents.rename(other.authority, to: certificates.path + "/later.pem")
                await expect("another authority") { if case .certificate = $0 { true } else { false } }
                // MOSQ_ERR_EAI.
                await expect("unknown host") { $0 == .library(15) }
                proxy.set(.silent)
                await expect("silence") { $0 == .timedOut }
                proxy.set(.refusing)
                await expect("refusal") { $0 == .system(ECONNREFUSED) }
                try FileContents.rename(certificates.authority, to: certificates.path + "/later.pem")
                proxy.set(.passing)
                #expect(await eventually { await rig.outbox.status(at: .now()).records == 0 })
            }
            proxy.close()
        }
    }

    @Test("A write to a broken connection is a signal that ends a process: the gateway's goes on")
    func brokenPipe() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            let probe = try ChildProcess(
                BuiltProgram.path("PublisherProbe"),
                ["--port", "\(proxy.port)", "--count", "2000", "--rate", "1000", "--batch", "5"])
            for cut in 1...4 {
                proxy.cut(afterFromClient: 50_000)
                #expect(await eventually { proxy.counts.cuts >= cut })
            }
            #expect(await probe.exitStatus() == 0)
            #expect(await probe.output.first { $0.hasPrefix("done ") } == "done 2000 0")
            #expect(await eventually { await consumer.tally.received.count == 2000 })
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("Its sessions of MQTT 5 end with the connection: commands wait for a gateway that is away all the same")
    func session() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            let topic = SyntheticRecords.root + "/status"
            let message = MQTTMessage(topic: topic, payload: Array("status".utf8), isRetained: true)
            let announcement = Announcement(will: message, online: { _ in message }, farewell: { _ in message })
            try await DeliveryRig.with(configuration(proxy.port), announcement: announcement) { rig in
                let commands = await rig.publisher.subscribe(to: SyntheticRecords.root + "/command/+")
                #expect(await broker.log(containing: "Sending SUBACK to gateway") != nil)
                proxy.set(.refusing)
                #expect(await eventually { await !rig.publisher.isConnected })
                let sent = try await ChildProcess.run(
                    "mosquitto_pub",
                    ["-p", "\(broker.port)", "-q", "1", "-t", SyntheticRecords.root + "/command/rescan", "-m", "now"])
                #expect(sent.status == 0)
                proxy.set(.passing)
                let command = await commands.first { _ in true }
                #expect(command?.payload == Array("now".utf8))
            }
            proxy.close()
        }
    }

    @Test("A flood of what others publish doesn't keep acknowledgements away")
    func flood() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            try await DeliveryRig.with(configuration(broker.port)) { rig in
                _ = await rig.publisher.subscribe(to: "flood/#")
                #expect(await broker.log(containing: "Sending SUBACK to gateway") != nil)
                let others = try (1...2).map { _ in
                    try ChildProcess(
                        "bash",
                        ["-c", "yes x | head -n 200000 | mosquitto_pub -p \(broker.port) -q 0 -t flood/x -l"])
                }
                await rig.publish(1...1000, rate: 500)
                for other in others { #expect(await other.exitStatus() == 0) }
                await rig.publish(1001...1500)
                await rig.expectDelivery("in a flood", 1...1500, to: consumer)
                #expect(await eventually { await rig.outbox.waiting == 0 })
            }
            await consumer.disconnect()
        }
    }

    @Test("A message that is longer than anybody reads isn't kept, and costs nothing else")
    func longMessage() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("long", Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
        for version in [BrokerConfiguration.VersionChoice.five, .threeOneOne] {
            try await TestBroker.with { broker in
                let consumer = Consumer()
                try await consumer.connect(port: broker.port)
                var configuration = configuration(broker.port)
                configuration.version = version
                try await DeliveryRig.with(configuration) { rig in
                    let messages = await rig.publisher.subscribe(to: "long/#")
                    #expect(await broker.log(containing: "Sending SUBACK to gateway") != nil)
                    let port = "\(broker.port)"
                    _ = try await ChildProcess.run(
                        "mosquitto_pub", ["-p", port, "-q", "1", "-t", "long/x", "-f", file])
                    _ = try await ChildProcess.run("mosquitto_pub", ["-p", port, "-q", "1", "-t", "long/y", "-m", "y"])
                    #expect(await messages.first { _ in true }?.topic == "long/y")
                    await rig.publish(1...100)
                    await rig.expectDelivery("beside a long message", 1...100, to: consumer)
                }
                await consumer.disconnect()
            }
        }
    }

    @Test("It refuses QoS 1 where the broker has none: records wait until the broker takes them")
    func noQualityOfService() async throws {
        try await TestBroker.with(configuration: "allow_anonymous true\nmax_qos 0") { broker in
            try await DeliveryRig.with(configuration(broker.port)) { rig in
                await rig.publish(1...200)
                #expect(
                    await eventually {
                        await rig.publisher.lastError?.what.contains("does not accept messages with QoS 1") == true
                    })
                #expect(await rig.outbox.waiting == 200)
                await broker.stop()
                try await broker.restart(configuration: "allow_anonymous true")
                #expect(await eventually { await rig.publisher.acknowledgedRecords == 200 })
                #expect(await rig.outbox.status(at: .now()).refused == 0)
            }
        }
    }

    @Test(
        "It takes what comes while it leaves for a breach of the protocol: the broker hears the good-bye all the same")
    func goodbyeInFlood() async throws {
        let broker = try SilentBroker(floods: true)
        defer { broker.close() }
        for round in 1...20 {
            let connection = try MQTTConnection(configuration: configuration(broker.port), will: nil)
            try connection.start()
            for try await event in connection.events { if case .connected = event { connection.disconnect() } }
            #expect(await eventually { broker.goodbyes == round })
        }
    }

    @Test("What was acknowledged before a record was refused isn't sent again")
    func refusedAfterAcknowledged() async throws {
        let directory = try TemporaryDirectory()
        let list = try directory.write("acl", "topic readwrite beacons/#\n")
        try await TestBroker.with(configuration: "allow_anonymous true\nuser root\nacl_file \(list)") { broker in
            try await DeliveryRig.with(configuration(broker.port)) { rig in
                let permitted = (1...10).map { OutboxFixtures.record($0) }
                await rig.outbox.append(
                    permitted + [OutboxFixtures.record(11, topic: "elsewhere")], at: .now())
                #expect(await eventually { await rig.publisher.acknowledgedRecords == 10 })
                #expect(await eventually { await rig.publisher.trouble?.contains("elsewhere") == true })
                #expect(await rig.outbox.waiting == 1)
            }
        }
    }

    @Test("That a record is refused, and on which topic, is said as long as it waits")
    func refusedIsTold() async throws {
        let directory = try TemporaryDirectory()
        let list = try directory.write("acl", "topic readwrite beacons/#\n")
        try await TestBroker.with(configuration: "allow_anonymous true\nuser root\nacl_file \(list)") { broker in
            try await DeliveryRig.with(configuration(broker.port)) { rig in
                await rig.outbox.append([OutboxFixtures.record(1, topic: "elsewhere")], at: .now())
                #expect(await eventually { await rig.publisher.trouble?.contains("elsewhere") == true })
                #expect(await rig.outbox.waiting == 1)
            }
        }
    }

    @Test("What other tools are told may be forbidden, again and again: records arrive all the same")
    func forbiddenOutput() async throws {
        let directory = try TemporaryDirectory()
        let list = try directory.write("acl", "topic readwrite beacons/#\n")
        for version in [BrokerConfiguration.VersionChoice.five, .threeOneOne] {
            try await TestBroker.with(configuration: "allow_anonymous true\nuser root\nacl_file \(list)") { broker in
                let consumer = Consumer()
                try await consumer.connect(port: broker.port)
                var configuration = configuration(broker.port)
                configuration.version = version
                let status = MQTTMessage(
                    topic: SyntheticRecords.root + "/status", payload: Array("status".utf8), isRetained: true)
                let announcement = Announcement(will: status, online: { _ in status }, farewell: { _ in status })
                try await DeliveryRig.with(configuration, announcement: announcement) { rig in
                    for number in 0..<20 {
                        await rig.publisher.setState([1], topic: "homeassistant/device/\(number)/config")
                    }
                    await rig.publish(1...500, rate: 250)
                    await rig.expectDelivery("beside what is forbidden, \(version.rawValue)", 1...500, to: consumer)
                    // A state that may be published comes through too.
                    await rig.publisher.setState([2], topic: SyntheticRecords.root + "/info")
                    #expect(await eventually { await rig.publisher.isConnected })
                }
                await consumer.disconnect()
            }
        }
    }
}
