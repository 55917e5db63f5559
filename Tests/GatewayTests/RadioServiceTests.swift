import BeaconModel
import BlueZScanner
import Logging
import MQTTBridge
import SystemIO
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct RadioServiceTests {
    /// A radio that gives what it was told to and then fails.
    private struct FailingRadio: RadioSource {
        let name = "hci9"
        var batch: HCIPacketBatch

        func events() -> AsyncThrowingStream<HCIScanner.Event, any Error> {
            AsyncThrowingStream { continuation in
                continuation.yield(.scanning(.legacy))
                continuation.yield(.packets(batch))
                continuation.finish(throwing: ScannerError.removed(Adapter(index: 9)))
            }
        }

        func stop() {}

        func abandon() {}
    }

    @Test("When the radio fails, whoever was there is lost, not departed, and the birth certificate says it")
    func lost() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            var capture = Capture()
            capture.time = WallClock.now()
            capture.addBeacon()
            var file = try BTSnoopFile(path: directory.write("capture", capture.bytes))
            let batch = try #require(try file.next(limit: 10))
            var configuration = Configuration.anywhere
            configuration.broker = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "radio-test")
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let publisher = MQTTPublisher(
                configuration: configuration.broker, status: nil, outboxCapacity: 100, logger: logger)
            let board = GatewayBoard(
                info: GatewayInfo(
                    version: "0", boot: 1, startedAt: "", adapters: [.init(name: "hci9", scan: "off")], modules: []),
                topic: configuration.topics.info, publisher: publisher)
            let received = try await broker.subscribe(to: configuration.topics.root + "/#")
            let service = RadioService(
                openSource: { FailingRadio(batch: batch) },
                audience: Audience(listedUUIDs: nil, includesPhones: false), configuration: configuration, boot: 1,
                publisher: publisher, board: board, logger: logger)
            let radio = Task { try await service.run() }
            let connection = Task { await publisher.run() }
            let ended = await received.first { $0.contains("interaction.ended") }
            #expect(ended?.contains(#""endReason":"lost""#) == true, "\(ended ?? "")")
            #expect(await board.radioError?.contains("hci9 is gone") == true)
            radio.cancel()
            _ = try? await radio.value
            _ = await publisher.finish(within: .seconds(1))
            await connection.value
        }
    }
}
