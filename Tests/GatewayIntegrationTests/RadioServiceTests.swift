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

@Suite(.timeLimit(.minutes(10))) struct RadioServiceTests {
    /// A radio that gives what it was told to and then fails.
    private struct FailingRadio: RadioSource {
        let name = "hci9"
        var batch: HCIPacketBatch
        /// How much later it is each time that it says that it is deaf; `nil`: as the clock says.
        var step: Duration?

        private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
        private let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

        init(batch: HCIPacketBatch, step: Duration? = nil) {
            self.batch = batch
            self.step = step
            (stream, continuation) = AsyncThrowingStream.makeStream()
        }

        /// Hears the batch, and is deaf from then on, which it says ever again.
        func events() -> AsyncThrowingStream<AdapterScanner.Event, any Error> {
            let adapter = Adapter(index: 0)
            var state = RadioState(adapter: adapter, path: .raw)
            state.mode = .legacy
            state.condition = .hearing
            continuation.yield(.state(state))
            continuation.yield(.packets(batch))
            state.condition = .deaf
            state.reason = .removed
            state.error = .removed(adapter)
            state.faults = [.removed: 1]
            continuation.yield(.state(state))
            let clock = Task { [continuation, step] in
                var now = WallClock.now()
                while !Task.isCancelled {
                    now = step.map { now + $0 } ?? WallClock.now()
                    continuation.yield(.silence(now: now, heardUntil: nil))
                    try? await Task.sleep(for: .milliseconds(20))
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

    private func withService(
        silence: Duration, step: Duration? = nil, _ body: (LineStream, GatewayState) async throws -> Void
    ) async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            var capture = Capture()
            capture.time = WallClock.now()
            capture.addBeacon()
            var file = try BTSnoopFile(path: directory.write("capture", capture.bytes))
            let batch = try #require(try file.next(limit: 10))
            var configuration = Configuration.anywhere
            configuration.broker = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "radio-test")
            configuration.rules.silence = .fixed(silence)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let topics = configuration.topics
            let publisher = MQTTPublisher(
                configuration: configuration.broker,
                announcement: GatewayStatus(boot: 1).announcement(topic: topics.status),
                outbox: try await Outbox.open(nil, rules: OutboxRules(), now: .now()), logger: logger)
            let gateway = GatewayState(
                info: GatewayInfo(
                    version: "0", boot: 1, startedAt: "", adapters: [.init(name: "hci9", scan: "off")], modules: []),
                topics: topics, publisher: publisher)
            let received = try await broker.subscribe(to: topics.root + "/#")
            let service = RadioService(
                sources: [FailingRadio(batch: batch, step: step)],
                audience: Audience(listedUUIDs: nil, includesPhones: false), configuration: configuration, boot: 1,
                publisher: publisher, gateway: gateway, logger: logger)
            let connection = Task { await publisher.run() }
            let radio = Task { try await service.run() }
            try await body(received, gateway)
            radio.cancel()
            _ = try? await radio.value
            _ = await publisher.finish(within: .seconds(1))
            await connection.value
        }
    }

    @Test("While the radio is deaf nobody departs; after a deafness longer than a departure whoever was there is lost")
    func lost() async throws {
        try await withService(silence: .milliseconds(200)) { received, _ in
            let ended = await received.first { $0.contains("interaction.ended") }
            #expect(ended?.contains(#""endReason":"lost""#) == true, "\(ended ?? "")")
        }
    }

    @Test("Every minute has its readings: whom the radio heard, and then that it was deaf")
    func readings() async throws {
        try await withService(silence: .seconds(3600), step: .seconds(60)) { received, _ in
            let heard = await received.first { $0.contains("/readings ") }
            #expect(heard?.contains(#""subjects":[{"counts":[1],"kind":"beacon","#) == true, "\(heard ?? "")")
            #expect(heard?.contains(#""adapters":[{"listenedSeconds":0,"name":"hci0"}]"#) == true, "\(heard ?? "")")
            for _ in 0..<3 {
                let deaf = await received.first { $0.contains("/readings ") }
                #expect(deaf?.contains(#""listenedSeconds":0,"place""#) == true, "\(deaf ?? "")")
                #expect(deaf?.contains(#""subjects":[]"#) == true, "\(deaf ?? "")")
            }
        }
    }

    @Test("That the radio is deaf, and why, is said on the status topic")
    func status() async throws {
        try await withService(silence: .seconds(3600)) { received, gateway in
            let status = await received.first { $0.contains("/status ") && $0.contains(#""radio":"deaf""#) }
            #expect(status?.contains(#""reason":"removed""#) == true, "\(status ?? "")")
            #expect(status?.contains(#""state":"online""#) == true)
            #expect(await gateway.radios.first?.state?.error == .removed(Adapter(index: 0)))
        }
    }
}
