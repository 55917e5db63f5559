import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Gateway
@testable import GatewayDaemon
@testable import Publishing
@testable import RecordContract
@testable import RecordOutbox

/// Two boxes with one name, as a copied card makes them.
@Suite(.timeLimit(.minutes(10))) struct SessionTakeoverTests {
    private struct Record: Decodable {
        struct Payload: Decodable { var boot: UInt64 }

        var id: String
        var data: Payload
    }

    @Test("Their records have different ids, and info, log and doctor say what is wrong")
    func twoOfOneName() async throws {
        try await TestBroker.with { broker in
            let lines = try await broker.subscribe(to: "beacons/#")
            let directories = (try TemporaryDirectory(), try TemporaryDirectory())
            var gateways: [ChildProcess] = []
            var configurations: [String] = []
            for path in [directories.0.path, directories.1.path] {
                try FileContents.replace(path + "/boot", with: Array("1605441600\n".utf8))
            }
            let uuid = DemoBuilding.badgeUUID
            configurations.append(try directories.0.writeConfiguration(brokerPort: broker.port, uuid: uuid))
            configurations.append(try directories.1.writeConfiguration(brokerPort: broker.port, uuid: uuid))
            for configuration in configurations {
                gateways.append(
                    try ChildProcess(
                        BuiltProgram.path("beacon-gateway"),
                        ["run", "--config", configuration, "--simulated-reports", "20"]))
            }
            var boots: Set<UInt64> = []
            var isTold = false
            while boots.count < 2 || !isTold, let line = await lines.first() {
                guard let brace = line.firstIndex(of: "{") else { continue }
                let payload = Array(line[brace...].utf8)
                if line.contains("/interaction {"), let record = try? JSON.decode(Record.self, from: payload) {
                    boots.insert(record.data.boot)
                    #expect(record.id.contains("/\(record.data.boot)/"))
                }
                if line.contains("/info {"), line.contains(#""sessionTakenOver":{"certain":"#) { isTold = true }
            }
            #expect(boots.count == 2)
            #expect(isTold)
            for gateway in gateways {
                #expect(
                    await gateway.errorOutput.first { $0.contains("another client") } != nil)
                gateway.send(signal: SIGTERM)
                _ = await gateway.exitStatus()
            }
            let files = [directories.0.path, directories.1.path].filter {
                TakeoversFile(stateDirectory: $0).read() != nil
            }
            let told = try #require(files.first)
            let (_, output, _) = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"),
                ["doctor", "--no-measure", "--json", "--config", told + "/gateway.toml"])
            #expect(output.contains { $0.contains("this gateway's session at the broker") }, "\(output)")
            withExtendedLifetime(directories) {}
        }
    }

    @Test("Health says in outbox.trouble what is wrong with the disk and with the delivery")
    func trouble() async throws {
        let now = WallClock.now()
        var status = try await Outbox.open(nil, rules: OutboxRules(), now: .now()).status(at: .now())
        #expect(HealthReport.Outbox(status, delivery: nil, at: now).trouble == nil)
        #expect(HealthReport.Outbox(status, delivery: "silence", at: now).trouble == "silence")
        status.trouble = .init(text: "full", since: now)
        #expect(HealthReport.Outbox(status, delivery: "silence", at: now).trouble == "full; silence")
    }
}
