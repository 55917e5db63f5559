import BeaconModel
import Logging
import TestSupport
import Testing

@testable import MQTTBridge
@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordContractTests
@testable import RecordOutbox

/// Against a real mosquitto; what arrives is what `mosquitto_sub` says.
@Suite(.timeLimit(.minutes(10))) struct MQTTPublisherTests {
    private static let root = Fixtures.topics.root

    private func publisher(_ broker: BrokerConfiguration) async throws -> MQTTPublisher {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return MQTTPublisher(
            configuration: broker,
            announcement: GatewayStatus(boot: 3).announcement(topic: Fixtures.topics.status),
            outbox: try await Outbox.open(nil, rules: OutboxRules(), now: OutboxFixtures.start), logger: logger)
    }

    private func configuration(_ broker: TestBroker) -> BrokerConfiguration {
        BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "test-gateway")
    }

    /// Runs the publisher beside `body`, to its farewell.
    private func run(_ publisher: MQTTPublisher, _ body: () async throws -> Void) async throws {
        let running = Task { await publisher.run() }
        do {
            try await body()
        } catch {
            running.cancel()
            throw error
        }
        _ = await publisher.finish(within: .seconds(10))
        await running.value
    }

    @Test("Records arrive with QoS 1, not retained, on their beacon's topic, in their order")
    func records() async throws {
        try await TestBroker.with { broker in
            let received = try await broker.subscribe(to: Self.root + "/beacon/#")
            let publisher = try await publisher(configuration(broker))
            let records = Fixtures.records(Array(repeating: .updated, count: 300))
            try await run(publisher) {
                await publisher.publish(records)
                for record in records {
                    let line = await received.first()
                    #expect(line?.hasPrefix("0 1 \(record.topic) ") == true)
                    #expect(line?.contains("\"id\":\"\(record.id)\"") == true, "\(line ?? "")")
                }
            }
        }
    }

    @Test("The status is online while connected and stopping after the farewell, retained, with the boot number")
    func status() async throws {
        try await TestBroker.with { broker in
            let received = try await broker.subscribe(to: Fixtures.topics.status)
            try await run(publisher(configuration(broker))) {
                let online = await received.first()
                let expected = #"{"adapters":[],"boot":3,"radio":"off","state":"online","time":"20"#
                #expect(online?.contains(expected) == true, "\(online ?? "")")
            }
            let stopping = await received.first()
            #expect(stopping?.contains(#""state":"stopping""#) == true)
            let retained = await (try broker.subscribe(to: Fixtures.topics.status)).first()
            #expect(retained?.hasPrefix("1 1 ") == true, "\(retained ?? "")")
            #expect(retained?.contains("stopping") == true, "\(retained ?? "")")
        }
    }

    @Test("States are retained, and only their latest value is published again after a reconnect")
    func states() async throws {
        try await TestBroker.with { broker in
            let publisher = try await publisher(configuration(broker))
            try await run(publisher) {
                await publisher.setState(Array("one".utf8), topic: Fixtures.topics.info)
                await publisher.setState(Array("two".utf8), topic: Fixtures.topics.info)
                let received = try await broker.subscribe(to: Fixtures.topics.info)
                #expect(await received.first { $0.hasSuffix(" two") } != nil)
                await broker.kill()
                try await TestBroker.with(port: broker.port) { reborn in
                    let again = try await reborn.subscribe(to: Fixtures.topics.info)
                    #expect(await again.first()?.hasSuffix(" \(Fixtures.topics.info) two") == true)
                }
            }
        }
    }

    @Test("Records that were published while the broker was away arrive when it is back, marked historical")
    func outage() async throws {
        // The analyst's session outlives the broker, so that it can't come too late for what arrives first.
        let directory = try TemporaryDirectory()
        let keeping = """
            allow_anonymous true
            user root
            persistence true
            persistence_location \(directory.path)/
            autosave_on_changes true
            autosave_interval 1
            """
        try await TestBroker.with(configuration: keeping) { broker in
            let received = try await broker.subscribe(to: Self.root + "/#", session: "analyst")
            let publisher = try await publisher(configuration(broker))
            try await run(publisher) {
                _ = await received.first { $0.contains("online") }
                await broker.kill()
                while await publisher.isConnected, !Task.isCancelled { await Task.yield() }
                let records = Fixtures.records([.started, .updated, .ended])
                await publisher.publish(records)
                try await TestBroker.with(port: broker.port, configuration: keeping) { reborn in
                    let received = try await reborn.subscribe(to: Self.root + "/#", session: "analyst")
                    for record in records {
                        let line = await received.first { $0.contains("/interaction ") }
                        #expect(line?.contains("\"id\":\"\(record.id)\"") == true)
                        #expect(line?.contains(#""historical":true"#) == true)
                    }
                }
            }
        }
    }

    @Test("A subscription after the end gets no message, and has ended") func lateSubscription() async throws {
        let publisher = try await publisher(
            BrokerConfiguration(host: "127.0.0.1", port: 1, clientID: "test-gateway"))
        _ = await publisher.finish(within: .zero)
        for await message in await publisher.subscribe(to: Self.root + "/#") { Issue.record("\(message)") }
    }

    @Test("A farewell that the broker doesn't acknowledge in time is none: the broker says lost, and the rest is told")
    func unacknowledgedFarewell() async throws {
        try await TestBroker.with { broker in
            let status = try await broker.subscribe(to: Fixtures.topics.status)
            let publisher = try await publisher(configuration(broker))
            let running = Task { await publisher.run() }
            _ = await status.first { $0.contains("online") }
            await broker.pause()
            await publisher.publish(Fixtures.records(Array(repeating: .ended, count: 300)))
            #expect(await publisher.finish(within: .milliseconds(300)) == 300)
            await running.value
            await broker.resume()
            #expect(await status.first { $0.contains(#""state":"lost""#) } != nil)
        }
    }

    @Test("A state that is emptied is removed from the broker")
    func forgottenState() async throws {
        try await TestBroker.with { broker in
            let topic = Fixtures.topics.presence(Fixtures.badge)
            let publisher = try await publisher(configuration(broker))
            try await run(publisher) {
                let received = try await broker.subscribe(to: Self.root + "/#")
                await publisher.setState(Array("here".utf8), topic: topic)
                #expect(await received.first { $0.hasSuffix(" \(topic) here") } != nil)
                await publisher.setState([], topic: topic)
                #expect(await received.first { $0.hasSuffix(" \(topic) ") } != nil)
                await publisher.setState(Array("v".utf8), topic: Fixtures.topics.info)
                _ = await received.first { $0.hasSuffix(" v") }
                let late = try await broker.subscribe(to: Self.root + "/#")
                let retained = [await late.first() ?? "", await late.first() ?? ""]
                #expect(retained.allSatisfy { !$0.contains("/presence") }, "\(retained)")
            }
        }
    }

    @Test("A broker that isn't there costs the farewell no time, and the undelivered records are told")
    func noBroker() async throws {
        let port = try await TestBroker.with { $0.port }
        let publisher = try await publisher(
            BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "test-gateway"))
        let running = Task { await publisher.run() }
        await publisher.publish(Fixtures.records([.started, .ended]))
        #expect(await publisher.finish(within: .seconds(3600)) == 2)
        await running.value
    }

    @Test("A user name and a password let in; a wrong password is a clear error")
    func password() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("passwords", "gateway:secret\n")
        let hashed = try await ChildProcess.run("mosquitto_passwd", ["-U", path])
        #expect(hashed.status == 0)
        let rules = "allow_anonymous false\nuser root\npassword_file \(path)"
        try await TestBroker.with(configuration: rules) { broker in
            var configuration = configuration(broker)
            configuration.username = "gateway"
            configuration.password = "secret"
            let good = try MQTTConnection(configuration: configuration, will: nil)
            try good.start()
            var events = good.events.makeAsyncIterator()
            guard case .connected? = try await events.next() else {
                Issue.record("not connected")
                return
            }
            good.disconnect()
            configuration.password = "wrong"
            let bad = try MQTTConnection(configuration: configuration, will: nil)
            try bad.start()
            let error = await #expect(throws: MQTTError.self) { for try await _ in bad.events {} }
            #expect(error?.cause == .refused(5))
            #expect(error?.remedy?.contains("mqtt.password-file") == true)
        }
    }
}
