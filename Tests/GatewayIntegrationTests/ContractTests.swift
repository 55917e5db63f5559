import BeaconModel
import EmulatedModules
import ModuleEmulator
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import GatewayCoreTests

/// What is documented, against what is there: the files in docs/, the golden records, and what crosses the wire.
@Suite("The contract", .timeLimit(.minutes(10)))
struct ContractTests {
    private static let docs = Repository.root + "/docs"
    private static let scripts = Repository.root + "/Tests/Contract"
    /// With the Debian packages that the scripts need, which another Python doesn't have.
    private static let python = "/usr/bin/python3"

    /// Compares lines with docs/.
    private static func validate(
        _ lines: [String], areRecords: Bool = false
    ) async throws -> (status: Int32, output: [String]) {
        let directory = try TemporaryDirectory()
        let path = try directory.write("lines", lines.map { $0 + "\n" }.joined())
        let result = try await ChildProcess.run(
            "sh",
            [
                "-c", #"exec "$0" -B "$1/validate.py" $4 "$2" < "$3""#, python, scripts, docs, path,
                areRecords ? "--records" : "",
            ])
        return (result.status, result.output + result.errorOutput)
    }

    // MARK: Documents

    @Test("The AsyncAPI document has the topic of every message, and refers to its schema")
    func documents() async throws {
        for contract in Contract.all {
            let address =
                "  address: '{prefix}/v\(Contract.version)/{site}/{building}/{floor}/{gateway}/\(contract.address)'"
            #expect(Contract.asyncAPI.contains(address), "\(contract.name)")
            #expect(Contract.asyncAPI.contains("schemas/\(contract.name).schema.json"), "\(contract.name)")
        }
        let names = try await ChildProcess.run("ls", [Self.docs + "/schemas/"]).output
        #expect(Set(names) == Set((Contract.all.map(\.name) + [LocalContract.name]).map { "\($0).schema.json" }))
    }

    @Test("The scripts that compare see every planted mistake")
    func scripts() async throws {
        let result = try await ChildProcess.run(Self.python, ["-B", Self.scripts + "/test_scripts.py"])
        #expect(result.status == 0, "\(result.errorOutput.joined(separator: "\n"))")
        #expect(result.errorOutput.last == "OK")
    }

    @Test("Nothing that was promised in this version of the contract is broken")
    func compatibility() async throws {
        let frozen = "\(Self.scripts)/v\(Contract.version)"
        let result = try await ChildProcess.run(Self.python, ["-B", Self.scripts + "/compare.py", frozen, Self.docs])
        #expect(result.status == 0, "\((result.output + result.errorOutput).joined(separator: "\n"))")
    }

    @Test("What differs from the contract as it was released has a later revision, which the document explains")
    func revision() throws {
        let frozen = "\(Self.scripts)/v\(Contract.version)"
        let isChanged = try Contract.files.contains { file in
            try FileContents.read(frozen + "/" + file.path, limit: 1_000_000) != Array(file.text.utf8)
        }
        let released = try String(
            decoding: FileContents.read(frozen + "/asyncapi.yaml", limit: 1_000_000), as: UTF8.self)
        #expect(released.contains("  version: \(Contract.version).0.0\n"))
        #expect(isChanged == (Contract.revision > 0))
        #expect(Contract.asyncAPI.contains("  version: \(Contract.version).\(Contract.revision).0\n"))
        if isChanged {
            #expect(Contract.asyncAPI.contains("Since \(Contract.version).\(Contract.revision) "))
        }
    }

    @Test("Every command of the program is one of the contract's")
    func commands() {
        #expect(RemoteCommand.names == Contract.commands)
    }

    // MARK: Records

    @Test("The golden records follow their schemas", arguments: GoldenReplayTests.names)
    func golden(name: String) async throws {
        let bytes = try FileContents.read(GoldenReplayTests.directory + "/\(name).jsonl", limit: 1_000_000)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let (status, output) = try await Self.validate(lines, areRecords: true)
        #expect(status == 0, "\(output)")
        #expect(output.last?.hasPrefix("0 wrong of \(lines.count): ") == true, "\(output)")
    }

    @Test("The examples of readings follow their schema")
    func examples() async throws {
        let bytes = try FileContents.read(Self.scripts + "/examples/readings.jsonl", limit: 1_000_000)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let (status, output) = try await Self.validate(lines, areRecords: true)
        #expect(status == 0, "\(output)")
        #expect(output.last == "0 wrong of \(lines.count): readings \(lines.count)", "\(output)")
    }

    @Test("The examples of signals follow their schema")
    func examplesOfSignals() async throws {
        let bytes = try FileContents.read(Self.scripts + "/examples/signals.jsonl", limit: 1_000_000)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            "0 0 \(Self.root)/signals \($0)"
        }
        let (status, output) = try await Self.validate(lines)
        #expect(status == 0, "\(output)")
        #expect(output.last == "0 wrong of \(lines.count): signals \(lines.count)", "\(output)")
    }

    // MARK: Traffic

    /// All that was received, in its order.
    private struct Capture {
        var lines: [String] = []
        private let stream: LineStream

        init(_ stream: LineStream) { self.stream = stream }

        /// Reads on until there was a line for each of the parts, in whichever order.
        mutating func read(until parts: String...) async {
            var missing = Set(parts)
            var read: [String] = []
            _ = await stream.first { line in
                read.append(line)
                missing = missing.filter { !line.contains($0) }
                return missing.isEmpty
            }
            lines += read
            #expect(missing.isEmpty)
        }
    }

    private static let root = "beacons/v1/s/b/1/g"

    private func configuration(_ directory: TemporaryDirectory, _ broker: TestBroker) throws -> String {
        try directory.write(
            "gateway.toml",
            """
            [place]
            site = "s"
            building = "b"
            floor = "1"
            gateway = "g"
            room = "entrance hall"
            position = { x = 1.0, y = 2.0, z = 2.5 }
            beacon = { uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0", major = 3, minor = 1 }
            [metrics]
            listen = "off"
            [mqtt]
            host = "127.0.0.1"
            port = \(broker.port)
            [beacons]
            uuids = ["\(DemoBuilding.badgeUUID)"]
            [interactions]
            update-interval = "1s"
            [signals]
            enabled = true
            [social-distance]
            distance = 10.0
            probability = 0.1
            hold = "1s"
            [state]
            directory = "\(directory.path)"
            [[modules]]
            name = "m0"
            module = "\(directory.path)/port0"
            uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
            major = 3
            minor = 1
            position = { x = 3.0, y = 2.0, z = 2.5 }
            [[remote-receivers]]
            name = "kitchen"
            kind = "espresense"
            room = "Kitchen"
            position = { x = 9.0, y = 2.0, z = 2.5 }
            """)
    }

    /// A gateway's life: start, module, badges, commands, a module that is unplugged, the end; then a run that is killed.
    private func life(_ broker: TestBroker) async throws -> [String] {
        let directory = try TemporaryDirectory()
        var options = RS9116Emulator.Options()
        options.loadingDelay = .milliseconds(1)
        options.bluetoothLoadingDelay = .milliseconds(1)
        let module = try EmulatedModule(options: options, link: "\(directory.path)/port0")
        defer { module.stop() }
        let configuration = try configuration(directory, broker)
        var capture = Capture(try await broker.subscribe(to: "beacons/#", asPublished: true))
        let program = BuiltProgram.path("beacon-gateway")
        let arguments = ["run", "--config", configuration, "--simulated-reports", "20"]
        let first = try ChildProcess(program, arguments)
        await capture.read(
            until: "/health ", "/info ", "/presence ", "/signals ", "interaction.started", "interaction.updated",
            "social-distance.started", #""radio":"hearing""#, #"/module/m0/state {"address""#)
        try await broker.publish(Self.root + "/stored", #"{"boot":1,"sequence":0}"#, isRetained: true)
        try await broker.publish(Self.root + "/command/identify", #"{"module":"m0","correlation":"a"}"#)
        try await broker.publish(Self.root + "/command/reset", #"{"module":"window","correlation":7}"#)
        try await broker.publish(Self.root + "/command/provision", "{}")
        try await broker.publish(Self.root + "/command/dance", "{}")
        try await broker.publish(Self.root + "/command/rescan", #"{"adapter":"hci0"}"#)
        await capture.read(
            until: "/reply/identify ", "/reply/reset ", "/reply/provision ", "/reply/dance ", "/reply/rescan ")
        try await broker.publish(
            "espresense/devices/iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-1/kitchen",
            RemoteReceiverPayloads.espresense4)
        await capture.read(until: #""ear":"kitchen","floor""#)
        module.unplug()
        await capture.read(until: #""state":"absent""#, "module.failed")
        first.send(signal: 15)
        await capture.read(
            until: "interaction.ended", "social-distance.ended", "/readings ", #""state":"stopping""#)
        #expect(await first.exitStatus() == 0)
        let second = try ChildProcess(program, arguments)
        await capture.read(until: #""state":"online""#)
        second.send(signal: 9)
        _ = await second.exitStatus()
        await capture.read(until: #""state":"lost""#)
        // The one that there isn't: it is only here for its reply.
        return capture.lines.filter { !$0.contains("/command/dance ") }
    }

    @Test("Everything that crosses the wire is documented: its topic, QoS, whether it is retained, every member")
    func traffic() async throws {
        try await TestBroker.with { broker in
            let lines = try await life(broker)
            let (status, output) = try await Self.validate(lines)
            #expect(status == 0, "\(output.joined(separator: "\n"))")
            #expect(output.last?.hasPrefix("0 wrong of \(lines.count): ") == true, "\(output)")
            for contract in Contract.all {
                #expect(output.last?.contains(" \(contract.name) ") == true, "\(contract.name)")
            }
            try await mistakes(in: lines)
        }
    }

    /// Plants one mistake at a time in what was captured.
    private func mistakes(in lines: [String]) async throws {
        let line = try #require(lines.first { $0.contains("interaction.started") })
        // A record that was stored before the broker was connected is historical.
        let historical = line.contains(#""historical":true"#)
        for (part, replacement) in [
            (#""boot":"#, #""boots":"#),
            (#""historical":\#(historical)"#, #""historical":"\#(historical)""#),
            (#"{"data":{"#, #"{"data":{"address":"88:DA:1A:00:00:00","#), ("/interaction ", "/interactions "),
            ("0 1 ", "1 1 "), ("0 1 ", "0 0 "), (#""specversion":"1.0""#, #""specversion":"0.3""#),
        ] {
            let range = try #require(line.firstRange(of: part), "\(part)")
            let planted = line.replacingCharacters(in: range, with: replacement)
            let (status, output) = try await Self.validate([line, planted])
            #expect(status == 1, "\(replacement)")
            #expect(output.first?.hasPrefix("line 2: ") == true, "\(output)")
        }
    }

    // MARK: The command

    private func schema(_ arguments: String...) async throws -> (status: Int32, output: [String], errorOutput: [String])
    {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), ["schema"] + arguments)
    }

    @Test("schema lists the names, prints one, and prints the AsyncAPI document")
    func printing() async throws {
        let list = try await schema()
        #expect(list.status == 0)
        let names = Contract.all.map(\.name) + [LocalContract.name, "asyncapi"]
        #expect(list.output.map { String($0.prefix { $0 != " " }) } == names)
        let one = try await schema("social-distance")
        #expect(one.output.joined(separator: "\n") + "\n" == Contract.named("social-distance")?.schema)
        let document = try await schema("asyncapi")
        #expect(document.output.contains("asyncapi: 3.0.0"))
    }

    @Test("A name that there isn't ends with 64, and with those that there are")
    func unknownName() async throws {
        let result = try await schema("interactions")
        #expect(result.status == 64)
        #expect(result.errorOutput.contains { $0.contains(#"there is no schema "interactions""#) })
        for contract in Contract.all {
            #expect(result.errorOutput.contains { $0.hasPrefix(contract.name + " ") }, "\(contract.name)")
        }
        #expect(try await schema("status", "--output-directory", "/tmp").status == 64)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
