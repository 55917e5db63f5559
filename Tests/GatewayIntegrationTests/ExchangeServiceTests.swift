import BeaconModel
import HCI
import Logging
import ServiceLifecycle
import SystemIO
import TestSupport
import Testing

@testable import GatewayCore
@testable import GatewayDaemon

@Suite(.timeLimit(.minutes(10))) struct ExchangeServiceTests {
    private static let peer = ExchangePeer(
        app: .bleProximity, address: BluetoothAddress(bits: 0x4A11_2233_4410), isAddressPublic: false)

    private static func sighting(_ microseconds: Int64) -> ExchangeSighting {
        ExchangeSighting(
            peer: peer, adapter: Adapter(index: 0), isConnectable: true, rssi: RSSI(dBm: -60),
            time: Timestamp(microseconds: 1_600_000_000_000_000 + microseconds))
    }

    private static func run(_ service: ExchangeService, while body: @Sendable () async throws -> Void) async throws {
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: Logger(label: "test")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test("A phone that is heard twice is connected to, once, with our code, and its code is passed on once")
    func learns() async throws {
        let (attempts, report) = AsyncStream.makeStream(of: UInt64?.self)
        let codes = LockedValue<[LearnedCode]>([])
        let service = ExchangeService(
            rules: ExchangeRules(apps: [.bleProximity]), ownCode: 7, logger: Logger(label: "test")
        ) { attempt, ownCode, _ in
            #expect(attempt == ExchangeAttempt(peer: Self.peer, adapter: Adapter(index: 0)))
            report.yield(ownCode)
            return .success(ExchangeReading(code: 42, gaveOwnCode: true))
        } learned: { code in
            codes.withLock { $0.append(code) }
        }
        try await Self.run(service) {
            service.hear([Self.sighting(0), Self.sighting(1)])
            var iterator = attempts.makeAsyncIterator()
            #expect(await iterator.next() == 7)
            while await service.counts.succeeded == 0 { await Task.yield() }
            service.hear([Self.sighting(2), Self.sighting(3)])
        }
        let learned = codes.withLock { $0 }
        #expect(learned.map(\.peer) == [Self.peer])
        #expect(learned.map(\.code) == [42])
        #expect(await service.counts.started == 1)
    }

    @Test("A shutdown breaks off what is under way")
    func shutdown() async throws {
        let (attempts, report) = AsyncStream.makeStream(of: Void.self)
        let service = ExchangeService(
            rules: ExchangeRules(apps: [.bleProximity]), ownCode: nil, logger: Logger(label: "test")
        ) { _, _, stop in
            let (pulled, pull) = AsyncStream.makeStream(of: Void.self)
            _ = stop.onPull { pull.finish() }
            report.yield()
            for await _ in pulled {}
            return .failure(.cancelled)
        } learned: { _ in
        }
        try await Self.run(service) {
            service.hear([Self.sighting(0), Self.sighting(1)])
            var iterator = attempts.makeAsyncIterator()
            await iterator.next()
        }
        #expect(await service.counts.failed == 1)
    }

    @Test("An action that comes after the pull runs at once, and one that is forgotten doesn't run")
    func stop() {
        let ran = LockedValue<[Int]>([])
        let stop = ExchangeStop()
        _ = stop.onPull { ran.withLock { $0.append(1) } }
        stop.forget(stop.onPull { ran.withLock { $0.append(2) } })
        stop.pull()
        _ = stop.onPull { ran.withLock { $0.append(3) } }
        stop.pull()
        #expect(ran.withLock { $0 } == [1, 3])
    }

    @Test("Our code is made once and kept; a file of another length is refused, and none is overwritten")
    func codeFile() throws {
        let directory = try TemporaryDirectory()
        let file = ContactCodeFile(path: directory.path + "/code")
        let code = try file.read { 0xC0DE_0000_0000_0001 }
        #expect(code == 0xC0DE_0000_0000_0001)
        let again = try file.read { 2 }
        #expect(again == code)
        try FileContents.replace(file.path, with: [1, 2, 3])
        #expect(throws: ContactCodeFileError.self) { try file.read { 3 } }
        #expect(try FileContents.read(file.path, limit: 10) == [1, 2, 3])
    }
}
