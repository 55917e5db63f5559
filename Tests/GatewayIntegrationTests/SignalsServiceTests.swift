import BeaconModel
import BlueZScanner
import HCI
import Logging
import MQTTBridge
import Proximity
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import GatewayCoreTests
@testable import GatewayDaemon
@testable import Publishing

/// Signals at a real broker.
@Suite(.timeLimit(.minutes(10))) struct SignalsServiceTests {
    /// A radio that hears one beacon ever again, and in whose time a second is 20 ms.
    private struct FastRadio: RadioSource {
        let name = "hci9"
        private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
        private let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

        init() { (stream, continuation) = AsyncThrowingStream.makeStream() }

        func events() throws -> AsyncThrowingStream<AdapterScanner.Event, any Error> {
            var state = RadioState(adapter: Adapter(index: 0), path: .raw)
            state.mode = .legacy
            state.condition = .hearing
            continuation.yield(.state(state))
            var capture = Capture()
            capture.addBeacon()
            let directory = try TemporaryDirectory()
            var file = try BTSnoopFile(path: directory.write("capture", capture.bytes))
            let packet = try #require(try file.next(limit: 1)).bytes
            let clock = Task { [continuation] in
                var now = WallClock.now()
                while !Task.isCancelled {
                    now = now + .milliseconds(500)
                    var batch = HCIPacketBatch()
                    batch.append(packet, time: now, adapter: Adapter(index: 0))
                    continuation.yield(.packets(batch))
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            continuation.onTermination = { _ in clock.cancel() }
            return stream
        }

        func suspect(isCertain: Bool) {}

        func rescan() {}

        func stop() { continuation.finish() }

        func abandon() { continuation.finish() }
    }

    private struct Received: Decodable {
        var number: UInt64
        var time: String
    }

    /// The message in a line of the subscriber, whose first two fields are "not retained" and QoS 0.
    private func message(_ line: String?) throws -> Received {
        let line = try #require(line)
        #expect(line.hasPrefix("0 0 "), "\(line)")
        let payload = try #require(line.firstIndex(of: "{").map { line[$0...] })
        return try JSON.decode(Received.self, from: Array(payload.utf8))
    }

    private struct Bench {
        var broker: TestBroker
        var publisher: MQTTPublisher
        var outbox: Outbox
        var queue: SignalsQueue
        var inbox: RadioInbox
        var topics: Topics
    }

    private func withService(
        isOn: Bool = true, key: SigningKey? = nil, _ body: (Bench) async throws -> Void
    ) async throws {
        try await TestBroker.with { broker in
            var configuration = Configuration.anywhere
            configuration.broker = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "signals-test")
            configuration.rules.hasSignals = isOn
            configuration.rules.updateInterval = .seconds(5)
            configuration.signingKey = key
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let topics = configuration.topics
            let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: .now())
            let publisher = MQTTPublisher(
                configuration: configuration.broker,
                announcement: GatewayStatus(boot: 1).announcement(topic: topics.status), outbox: outbox,
                backoff: Backoff(longest: .milliseconds(100)), logger: logger)
            let gateway = GatewayState(
                info: GatewayInfo(
                    version: "0", boot: 1, startedAt: "", adapters: [.init(name: "hci9", scan: "off")], modules: []),
                topics: topics, publisher: publisher)
            let bench = Bench(
                broker: broker, publisher: publisher, outbox: outbox, queue: SignalsQueue(), inbox: RadioInbox(),
                topics: topics)
            let service = RadioService(
                sources: [FastRadio()], audience: Audience(listedUUIDs: nil, includesPhones: false),
                configuration: configuration, boot: 1, publisher: publisher, gateway: gateway, signals: bench.queue,
                inbox: bench.inbox, logger: logger)
            let connection = Task { await publisher.run() }
            #expect(await eventually { await publisher.isConnected })
            let radio = Task { try await service.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(bench))
            } catch {
                result = .failure(error)
            }
            radio.cancel()
            _ = try? await radio.value
            _ = await publisher.finish(within: .seconds(1))
            await connection.value
            try result.get()
        }
    }

    @Test("Signals come second by second, with QoS 0 and not retained; switched off, there are none, and records go on")
    func switched() async throws {
        try await withService { bench in
            let received = try await bench.broker.subscribe(to: bench.topics.root + "/#")
            var last = try message(await received.first { $0.contains("/signals ") })
            for _ in 0..<10 {
                let next = try message(await received.first { $0.contains("/signals ") })
                #expect(next.number == last.number + 1)
                #expect(next.time > last.time)
                last = next
            }
            await bench.inbox.send(.signals(false))
            // Records of a minute, by the radio's clock. During the first, signals can be on their way.
            for record in 0..<12 {
                _ = await received.first { line in
                    if line.contains("/signals ") {
                        #expect(record < 4, "\(line)")
                        last.number += 1
                    }
                    return line.contains("interaction.updated")
                }
            }
            await bench.inbox.send(.signals(true))
            let again = try message(await received.first { $0.contains("/signals ") })
            #expect(again.number == last.number + 1)
        }
    }

    @Test("Signals that are off are not published")
    func off() async throws {
        try await withService(isOn: false) { bench in
            let received = try await bench.broker.subscribe(to: bench.topics.root + "/#")
            var signals = 0
            for _ in 0..<3 {
                _ = await received.first { line in
                    if line.contains("/signals ") { signals += 1 }
                    return line.contains("interaction.updated")
                }
            }
            #expect(signals == 0)
            #expect(bench.queue.dropped == 0)
        }
    }

    @Test("Of an outage no signal comes late: they were dropped and counted, while no record is missing")
    func outage() async throws {
        try await withService { bench in
            let received = try await bench.broker.subscribe(to: bench.topics.root + "/#", session: "kept")
            let before = try message(await received.first { $0.contains("/signals ") })
            await bench.broker.stop()
            #expect(await eventually { await !bench.publisher.isConnected })
            let dropped = bench.queue.dropped
            #expect(await eventually { bench.queue.dropped >= dropped + 100 })
            #expect(await bench.outbox.waiting > 0)
            try await bench.broker.restart()
            #expect(await eventually { await bench.publisher.isConnected })
            var last = before.number
            var gap: UInt64 = 0
            // Those from before the outage come first.
            while gap < 100 {
                let next = try message(await received.first { $0.contains("/signals ") })
                try #require(next.number > last)
                gap = next.number - last - 1
                last = next.number
            }
            for _ in 0..<20 {
                let next = try message(await received.first { $0.contains("/signals ") })
                #expect(next.number > last)
                last = next.number
            }
            // The records of the outage arrive: the outbox empties.
            await bench.publisher.waitUntilDelivered(patience: .seconds(30))
            #expect(await bench.publisher.acknowledgedRecords > 0)
        }
    }

    @Test("A signed gateway's signals are genuine")
    func signed() async throws {
        let site = try #require(SiteKey(secret: Array(repeating: 7, count: 32)))
        let key = site.gatewayKey("replay/replay/replay/replay")
        try await withService(key: key) { bench in
            let received = try await bench.broker.subscribe(to: bench.topics.signals, format: "%p")
            let payload = Array(try #require(await received.first()).utf8)
            #expect(MessageTag.verdict(on: payload, keys: [key], for: .signals) == .genuine)
        }
    }

    @Test(
        "Remote receivers are told the time when a full second has just begun",
        arguments: [(0, 1_020), (1, 1_019), (999_999, 20), (1_500_000, 520)])
    func nextSecond(microseconds: Int64, milliseconds: Int64) {
        let pause = RemoteReceiverService.untilNextSecond(Timestamp(microseconds: microseconds))
        #expect(pause >= .milliseconds(milliseconds) && pause < .milliseconds(milliseconds + 1))
    }
}
