import BeaconModel
import Glibc
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import Testing

@testable import Gateway
@testable import Publishing

/// What a gateway without a broker says of its outbox.
@Suite(.timeLimit(.minutes(10))) struct OutboxNoticeTests {
    private let directory: TemporaryDirectory
    private let configuration: String
    private var path: String { directory.path + "/outbox.db" }

    init() throws {
        directory = try TemporaryDirectory()
        configuration = try directory.writeConfiguration(
            brokerPort: 1, uuid: DemoBuilding.badgeUUID,
            further: "[outbox]\nmax-age = \"1h\"\n[interactions]\nupdate-interval = \"1s\"")
    }

    private func start() throws -> ChildProcess {
        try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "20"])
    }

    @Test("What expired while the gateway was off is logged at its start: how many records, and which")
    func expired() async throws {
        let old = ClockReading.now() + .seconds(-7200)
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: old)
        let record = OutboxRecord(
            topic: "t", priority: .ended, position: RecordPosition(boot: 7, sequence: 9), payload: Array("{}".utf8))
        await outbox.append([record], at: old)
        await outbox.close()
        let gateway = try start()
        let line = await gateway.errorOutput.first { $0.contains("records expired before they were delivered") }
        #expect(line?.contains("boot 7 sequence 9") == true, "\(line ?? "")")
        gateway.send(signal: SIGTERM)
        #expect(await gateway.exitStatus() == 0)
    }

    @Test("A database that is removed under a running gateway is logged, and is there again")
    func removed() async throws {
        let gateway = try start()
        #expect(await eventually { access(path + "-wal", F_OK) == 0 })
        unlink(path)
        let line = await gateway.errorOutput.first { $0.contains("outbox removed while in use, written anew") }
        #expect(line?.contains(path) == true, "\(line ?? "")")
        #expect(access(path, F_OK) == 0)
        gateway.send(signal: SIGTERM)
        #expect(await gateway.exitStatus() == 0)
    }
}
