import Glibc
import RecordContract
import TestSupport
import Testing

/// The program on this machine; what it must say of one without Bluetooth is only known where there is none.
@Suite(.timeLimit(.minutes(10))) struct DoctorCommandTests {
    private func run(_ arguments: String...) async throws -> (status: Int32, output: [String]) {
        let (status, output, _) = try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"), ["doctor", "--seconds", "1"] + arguments)
        return (status, output)
    }

    @Test(
        "Without Bluetooth it says so, ends with status 69, and gives the command against it",
        .enabled(if: access("/sys/class/bluetooth", F_OK) != 0))
    func noBluetooth() async throws {
        let (status, output) = try await run()
        #expect(status == 69)
        #expect(output.contains("FAILED   adapter       this kernel does not support Bluetooth"), "\(output)")
        #expect(output.contains("Verdict: The gateway would not work: this kernel does not support Bluetooth."))
        let first = output.first { $0.hasPrefix(" 1. ") }
        #expect(first?.contains("linux-image") == true || first?.contains("modprobe bluetooth") == true, "\(output)")
    }

    private struct Document: Decodable {
        struct Finding: Decodable {
            var subject: String
            var severity: String
            var found: String
        }

        var exitStatus: Int32
        var findings: [Finding]

        func finding(_ subject: String) -> Finding? { findings.first { $0.subject == subject } }
    }

    private func examine(_ arguments: String...) async throws -> (status: Int32, document: Document) {
        let (status, output, _) = try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"), ["doctor", "--no-measure", "--json"] + arguments)
        #expect(output.count == 1)
        return (status, try JSON.decode(Document.self, from: Array((output.first ?? "").utf8)))
    }

    @Test("--json gives one object, whose exit status is the program's")
    func json() async throws {
        let (status, document) = try await examine()
        #expect(status == document.exitStatus)
        for subject in ["machine", "config", "privileges", "adapter", "programs", "serial", "clock", "disk", "broker"] {
            #expect(document.finding(subject) != nil, "\(subject)")
        }
    }

    @Test("The broker of the configuration is tried: it accepts while it runs, and has failed afterwards")
    func broker() async throws {
        let directory = try TemporaryDirectory()
        let path = try await TestBroker.with { broker in
            let path = try directory.writeConfiguration(brokerPort: broker.port)
            let (_, document) = try await examine("--config", path)
            #expect(document.finding("config")?.severity == "ok")
            #expect(document.finding("broker")?.severity == "ok", "\(document)")
            #expect(document.finding("disk")?.severity == "ok")
            return path
        }
        let (status, document) = try await examine("--config", path)
        #expect(status == 69)
        #expect(document.finding("broker")?.severity == "failed")
    }

    @Test("A wrong configuration is status 78, and the rest is examined all the same")
    func wrongConfiguration() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("gateway.toml", "[place]\nsite = 1\n")
        let (status, document) = try await examine("--config", path)
        #expect(status == 78)
        #expect(document.finding("config")?.severity == "failed")
        #expect(document.finding("config")?.found.contains("place.site") == true)
        #expect(document.finding("clock") != nil)
    }

    @Test("The gateway that holds the state directory is found by its lock")
    func runningGateway() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let path = try directory.writeConfiguration(brokerPort: broker.port)
            let gateway = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", path])
            _ = await gateway.errorOutput.first { $0.contains("starting") }
            let (_, document) = try await examine("--config", path)
            let found = document.finding("programs")?.found ?? ""
            #expect(
                found.contains("beacon-gateway (process \(gateway.identifier)) is running already"), "\(found)")
            gateway.send(signal: SIGTERM)
            #expect(await gateway.exitStatus() == 0)
        }
    }
}
