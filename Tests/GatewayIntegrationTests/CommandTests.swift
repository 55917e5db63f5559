import GatewayDaemon
import Glibc
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import GatewayCoreTests

/// The program as a person or a service manager runs it.
@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), arguments)
    }

    private static let identity = [
        "--uuid", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "--major", "1", "--minor", "2", "--measured-power", "-59",
    ]

    @Test("provision makes an emulated module advertise exactly the reference's 30 bytes, and says each step")
    func provision() async throws {
        let directory = try TemporaryDirectory()
        let port = directory.path + "/module"
        let emulator = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port])
        _ = await emulator.errorOutput.first { $0.contains("linked as \(port)") }
        let (status, steps, _) = try await run(["provision", "--port", port] + Self.identity)
        #expect(status == 0)
        #expect(
            steps.map { $0.prefix(11) } == [
                "port       ", "handshake  ", "firmware   ", "firmware   ", "bluetooth  ", "address    ", "data       ",
                "on air     ",
            ], "\(steps)")
        let air = await emulator.output.first()
        #expect(
            air
                == #"{"advertising":true,"type":131,"intervalMs":100,"data":"0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5"}"#
        )
        emulator.send(signal: SIGTERM)
        #expect(await emulator.exitStatus() == 0)
        #expect(access(port, F_OK) != 0, "the link is gone with the emulator")
    }

    @Test("A module that only advertises connectably is provisioned, with a warning")
    func connectableOnly() async throws {
        let directory = try TemporaryDirectory()
        let port = directory.path + "/module"
        let emulator = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port, "--fault", "connectable-only"])
        _ = await emulator.errorOutput.first { $0.contains("linked as") }
        let (status, steps, _) = try await run(["provision", "--port", port] + Self.identity)
        #expect(status == 0)
        #expect(steps.contains { $0.hasPrefix("warning") && $0.contains("4E11") }, "\(steps)")
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
    }

    @Test("provision without a module says what happened and what to do, with status 69")
    func noModule() async throws {
        let (status, _, errors) = try await run(["provision", "--port", "/dev/no-such-port"] + Self.identity)
        #expect(status == 69)
        #expect(errors.contains("error: there is no serial port /dev/no-such-port"), "\(errors)")
        #expect(errors.contains { $0.contains("what to do: ") }, "\(errors)")
    }

    @Test(
        "Wrong usage ends with status 64 and a hint",
        arguments: [
            ["provision"], ["provision", "--port", "x", "--uuid", "nonsense", "--major", "1", "--minor", "2"],
            ["provision", "--port", "x"] + identity + ["--interval", "5ms"], ["replay", "x", "--publish"],
            ["emulate", "esp32"], ["provision", "--port", "x", "--plan"], ["provision", "--inventory", "x.csv"],
            ["provision", "--inventory", "x.csv", "--plan"] + identity, ["verify"], ["scan", "--adapter", "wlan0"],
            ["scan", "--replay", "x", "--adapter", "hci1"], ["scan", "--replay", "x", "--duration", "1s"],
            ["record", "y", "--replay", "x", "--path", "raw"], ["nonsense"],
        ])
    func usage(arguments: [String]) async throws {
        let (status, _, errors) = try await run(arguments)
        #expect(status == 64, "\(errors)")
        #expect(!errors.isEmpty)
    }

    @Test("Every command has a help that shows its options")
    func help() async throws {
        let commands = [
            "run", "modules", "provision", "verify", "scan", "replay", "emulate", "firmware", "export-script", "module",
            "schema", "tail", "demo",
        ]
        for command in commands {
            let (status, output, _) = try await run([command, "--help"])
            #expect(status == 0)
            #expect(output.contains { $0.hasPrefix("OVERVIEW: ") } && output.contains("OPTIONS:"), "\(command)")
        }
    }

    @Test("firmware inspect says what an image is")
    func firmware() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("image.rps", RPSFile(body: Array(0..<16)).bytes)
        let (status, output, _) = try await run(["firmware", "inspect", path])
        #expect(status == 0)
        let expected = [
            "file       \(path)", "family     RS9116W, silicon 1.3/1.4, firmware 1610...", "version    2.12.0.3",
            "size       16 bytes after a header of 64", "location   0x00011000", "flags      0x8000",
        ]
        #expect(Array(output.prefix(6)) == expected)
        #expect(output.last == "signature  none")
    }

    @Test("firmware inspect --json says the same as one object")
    func firmwareDocument() async throws {
        struct Document: Decodable, Equatable {
            var file, family, silicon, version, firmware: String
            var size: Int
            var location, flags: String
            var isSigned: Bool
        }
        let directory = try TemporaryDirectory()
        let path = try directory.write("image.rps", RPSFile(body: Array(0..<16)).bytes)
        let (status, output, _) = try await run(["firmware", "inspect", path, "--json"])
        #expect(status == 0)
        #expect(output.count == 1, "\(output)")
        let document = try JSON.decode(Document.self, from: Array((output.first ?? "").utf8))
        #expect(
            document
                == Document(
                    file: path, family: "RS9116W", silicon: "1.3/1.4", version: "2.12.0.3",
                    firmware: "1610.2.12.0.0.3", size: 16, location: "0x00011000", flags: "0x8000", isSigned: false))
    }

    @Test("schema --json lists the messages of the contract with their topics, one a line")
    func schemas() async throws {
        struct Document: Decodable, Equatable {
            var name, topic, sender, version: String
            var qos: Int
            var isRetained: Bool
        }
        let (status, output, _) = try await run(["schema", "--json"])
        #expect(status == 0)
        let documents = try output.map { try JSON.decode(Document.self, from: Array($0.utf8)) }
        #expect(documents.map(\.name) == Contract.all.map(\.name))
        let stored = Document(
            name: "stored", topic: "stored", sender: "consumer",
            version: "\(Contract.version).\(Contract.revision)", qos: 1, isRetained: true)
        #expect(documents.contains(stored), "\(output)")
        #expect(try await run(["schema", "interaction", "--json"]).status == 64)
    }

    @Test("firmware inspect of a damaged image ends with status 65 and what to do")
    func damagedFirmware() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("image.rps", Array(RPSFile(body: Array(0..<16)).bytes.dropLast()))
        let (status, _, errors) = try await run(["firmware", "inspect", path])
        #expect(status == 65)
        let what = "error: the image's header has the length 16 at byte 0x08; the file has 15 bytes after the header"
        #expect(errors.first == what)
        #expect(errors.contains { $0.hasPrefix("  what to do: ") }, "\(errors)")
    }

    @Test("scan prints an object a sighting; those of no known kind only with --all")
    func scanReplay() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addBeacon(rssi: -64)
        capture.addReport(data: [0x02, 0x01, 0x06], rssi: 127)
        let path = try directory.write("hall.btsnoop", capture.bytes)
        let beacon =
            #"{"adapter":"hall.btsnoop","address":"C0:11:22:33:44:01","kind":"ibeacon","major":7,"measuredPower":-59,"#
            + #""minor":2603,"rssi":-64,"time":"2020-11-15T12:00:00.000Z","uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"}"#
        let unknown =
            #"{"adapter":"hall.btsnoop","address":"C0:11:22:33:44:01","kind":"unknown","rssi":null,"#
            + #""time":"2020-11-15T12:00:00.000Z"}"#
        #expect(try await run(["scan", "--replay", path]).output == [beacon])
        #expect(try await run(["scan", "--replay", path, "--all"]).output == [beacon, unknown])
    }

    @Test("scan says of each kind what it has")
    func scanKinds() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addReport(
            data: [0x0A, 0x16, 0xAA, 0xFE, 0x10, 0x12, 0x03] + Array("a.b/".utf8), rssi: -64)
        capture.addReport(data: [0x0B, 0xFF, 0x4C, 0x00, 0x10, 0x06, 0x06, 0x1A, 0x39, 0x63, 0x63, 0xCE], rssi: -65)
        let path = try directory.write("hall.btsnoop", capture.bytes)
        let head = #"{"adapter":"hall.btsnoop","address":"C0:11:22:33:44:01","kind":"#
        let time = #""time":"2020-11-15T12:00:00.000Z""#
        let output = try await run(["scan", "--replay", path]).output
        #expect(
            output == [
                head + #""eddystone-url","rssi":-64,"# + time + #","txPower":18,"url":"https://a.b/"}"#,
                head + #""apple-device","rssi":-65,"# + time + #","type":16}"#,
            ])
    }

    @Test(
        "scan tells the adapters of a capture apart, has no address for who has none, and all of a beacon's telemetry"
    )
    func scanOfSeveralAdapters() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture(isOfMonitor: true)
        let telemetry: [UInt8] = [
            0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00, 0x0B, 0xB8, 0x16, 0x80, 0x00, 0x00, 0x00, 0x64, 0x00,
            0x00, 0x27, 0x11,
        ]
        // LE Extended Advertising Reports: from a random address, and anonymous with octets that mean nothing.
        for (adapter, addressKind) in [(0, 0x01), (3, 0xFF)] as [(UInt64, UInt8)] {
            let report =
                [
                    0x00, 0x00, addressKind, 1, 2, 3, 4, 5, 0xC6, 0x01, 0x00, 0x00, 0x7F, 0xC4, 0x00, 0x00,
                    0x00,
                ]
                + [UInt8](repeating: 0, count: 6) + [UInt8(telemetry.count)] + telemetry
            capture.add([0x04, 0x3E, UInt8(report.count + 2), 0x0D, 0x01] + report, adapter: adapter)
        }
        let path = try directory.write("hall.btsnoop", capture.bytes)
        let tail =
            #""advertisingCount":100,"batteryMillivolts":3000,"isEncrypted":false,"kind":"eddystone-tlm","rssi":-60,"#
            + #""temperature":22.5,"time":"2020-11-15T12:00:00.000Z","uptimeSeconds":1000.1}"#
        #expect(
            try await run(["scan", "--replay", path]).output == [
                #"{"adapter":"hci0","address":"C6:05:04:03:02:01","# + tail,
                #"{"adapter":"hci3","address":null,"# + tail,
            ])
    }

    @Test("The same capture gives the same records, byte for byte: started, updated, ended")
    func replay() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        for _ in 0..<50 { capture.addBeacon(after: .seconds(1)) }
        for index in 0..<20 { capture.addPhone(UInt8(index), address: [1, 2, 3, 4, 5, UInt8(index)]) }
        let path = try directory.write("capture", capture.bytes)
        let first = try await run(["replay", path])
        let second = try await run(["replay", path])
        #expect(first.status == 0)
        #expect(first.output == second.output)
        let badge = first.output.filter { $0.contains(#""kind":"gateway""#) }
        let kinds = badge.map {
            $0.contains("interaction.started") ? "s" : $0.contains("interaction.updated") ? "u" : "e"
        }
        #expect(kinds == ["s", "u", "e"])
        #expect(badge.last?.contains(#""samples":50"#) == true)
        let readings = first.output.filter { $0.contains(#""type":"readings""#) }
        #expect(readings.count == 1)
        #expect(first.output.count == 3 + 2 * 20 + readings.count)
        #expect(first.errorOutput.first == "70 reports: 50 iBeacon, 20 exposure notification, 0 of no known kind")
    }

    @Test("A capture that is cut off gives everything before the cut, and status 65 with the byte")
    func truncatedCapture() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addBeacon()
        let whole = capture.bytes.count
        capture.addBeacon(after: .seconds(1))
        let path = try directory.write("capture", Array(capture.bytes.dropLast(5)))
        let (status, output, errors) = try await run(["replay", path])
        #expect(status == 65)
        // A beginning, an end and a minute's readings.
        #expect(output.count == 3)
        #expect(errors.contains("error: \(path) ends inside the record at byte \(whole)"), "\(errors)")
    }

    @Test("replay --publish brings the records to the broker")
    func replayPublish() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            var capture = Capture()
            capture.addBeacon()
            let path = try directory.write("capture", capture.bytes)
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/beacon/#")
            let (status, output, errors) = try await run(["replay", path, "--config", configuration, "--publish"])
            #expect(status == 0 && output.isEmpty, "\(errors)")
            #expect(errors.last == "3 records published")
            #expect(await received.first()?.contains("interaction.started") == true)
            #expect(await received.first()?.contains("interaction.ended") == true)
        }
    }

    @Test("With a configuration, strangers' beacons give no record")
    func replayListed() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        capture.addBeacon()
        capture.addPhone(1, address: [1, 2, 3, 4, 5, 6])
        let path = try directory.write("capture", capture.bytes)
        let configuration = try directory.writeConfiguration(brokerPort: 1)
        let (status, output, errors) = try await run(["replay", path, "--config", configuration])
        #expect(status == 0)
        // A beginning, an end and a minute's readings.
        #expect(output.count == 3)
        #expect(errors.contains { $0.hasPrefix("1 of them skipped") }, "\(errors)")
    }

    @Test("A wrong configuration starts nothing, and ends with status 78")
    func wrongConfiguration() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("gateway.toml", "[place]\nsite = \"S\"\n")
        let (status, _, errors) = try await run(["run", "--config", path])
        #expect(status == 78)
        #expect(errors.contains { $0.hasPrefix("  \(path):2:1: place.site: found \"S\"; must be") }, "\(errors)")
        #expect(try await run(["run", "--config", "/no/such/file"]).status == 78)
    }

    @Test("A file that is no UTF-8 text, or holds a NUL, is refused whole", arguments: [[0x00], [0xFF]] as [[UInt8]])
    func noText(bytes: [UInt8]) async throws {
        let directory = try TemporaryDirectory()
        let good = try FileContents.read(try directory.writeConfiguration(brokerPort: 1), limit: 10_000)
        let path = try directory.write("bad.toml", good + Array("\n# ".utf8) + bytes + Array("\n[mqqtt]\n".utf8))
        let (status, _, errors) = try await run(["run", "--check", "--config", path])
        #expect(status == 78)
        #expect(errors.contains { $0.contains("not UTF-8 text") }, "\(errors)")
    }

    @Test("A second daemon with the same state directory is refused, and the first one goes on")
    func twoDaemons() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            let daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
            _ = try #require(boot(await received.first(), state: "online"))
            let (status, _, errors) = try await run(["run", "--config", configuration])
            #expect(status == 69)
            #expect(errors.contains { $0.hasPrefix("error: another beacon-gateway is running") }, "\(errors)")
            daemon.send(signal: SIGTERM)
            #expect(boot(await received.first { $0.contains("stopping") }, state: "stopping") != nil)
            _ = await daemon.exitStatus()
        }
    }

    @Test("The demonstration ends on SIGINT also when its broker has stopped answering")
    func demoWithStuckBroker() async throws {
        try await TestBroker.with { broker in
            let demo = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["demo", "--broker-port", "\(broker.port)"])
            _ = await demo.output.first { $0.contains("updated") }
            await broker.pause()
            demo.send(signal: SIGINT)
            _ = await demo.exitStatus()
            await broker.resume()
        }
    }

    /// The boot number in a line of `mosquitto_sub` on the status topic, when the state is the expected one.
    private func boot(_ line: String?, state: String) -> UInt64? {
        guard let match = line?.firstMatch(of: /"boot":(\d+),(?:"radio":"\w+",)?"state":"(\w+)"/), match.2 == state
        else { return nil }
        return UInt64(match.1)
    }

    @Test("The daemon says online; killed without a word, the broker says lost in its place")
    func will() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            let daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
            let online = try #require(boot(await received.first(), state: "online"))
            daemon.send(signal: SIGKILL)
            #expect(boot(await received.first { $0.contains("lost") }, state: "lost") == online)
            let retained = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            #expect(await retained.first()?.hasPrefix("1 1 ") == true)
            _ = await daemon.exitStatus()
        }
    }

    @Test(
        "The daemon ends on SIGTERM and on SIGINT with stopping, and each run has a greater boot number",
        arguments: [SIGTERM, SIGINT])
    func farewell(signal: Int32) async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            var last: UInt64 = 0
            for _ in 1...2 {
                let daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
                let online = try #require(boot(await received.first(), state: "online"))
                #expect(online > last)
                last = online
                daemon.send(signal: signal)
                #expect(boot(await received.first { $0.contains("stopping") }, state: "stopping") == online)
                #expect(await daemon.exitStatus() == 0)
            }
        }
    }

    @Test("The demonstration shows records of modules and badges, ends by itself with status 0, and leaves no file")
    func demo() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let (status, output, errors) = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"), ["demo", "--broker-port", "\(broker.port)", "--duration", "4s"],
                environment: ["TMPDIR": directory.path])
            #expect(status == 0, "\(errors)")
            #expect(SystemFiles.names(directory.path) == [], "nothing is left behind")
            #expect(output.contains { $0.contains("started") && $0.contains("module 1") }, "\(output)")
            #expect(output.contains { $0.contains("updated") && $0.contains("badge 1") }, "\(output)")
            #expect(output.contains { $0.contains("ended") && $0.contains("(shutdown)") }, "\(output)")
        }
    }

    @Test("The gateways of the demonstration's floor publish signals of badges, end on SIGINT, and leave no file")
    func demoFloor() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let messages = try await broker.subscribe(to: "+/v1/demo/main/1/+/signals")
            let demo = try ChildProcess(
                BuiltProgram.path("beacon-gateway"),
                ["demo", "--building", "--speed", "10", "--broker-port", "\(broker.port)"],
                environment: ["TMPDIR": directory.path])
            var silent: Set = ["corridor", "library", "seminar", "studio", "kitchen", "laboratory"]
            while !silent.isEmpty, let message = await messages.first() {
                guard message.contains("7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3") else { continue }
                silent = silent.filter { !message.contains("/\($0)/signals ") }
            }
            #expect(silent == [])
            demo.send(signal: SIGINT)
            #expect(await demo.exitStatus() == 0)
            #expect(SystemFiles.names(directory.path) == [], "nothing is left behind")
        }
    }

    @Test("The demonstration prints the plan of its floor, and refuses it together with another part")
    func demoPlan() async throws {
        let (status, output, _) = try await run(["demo", "--plan"])
        #expect(status == 0)
        #expect(output.contains("[[floors]]"))
        let (refused, _, errors) = try await run(["demo", "--plan", "--hour"])
        #expect(refused == 64, "\(errors)")
    }

    @Test("The demonstration without a broker ends with status 69 and says why")
    func demoWithoutBroker() async throws {
        let port = try await TestBroker.with { $0.port }
        let (status, _, errors) = try await run(["demo", "--broker-port", "\(port)", "--duration", "2s"])
        #expect(status == 69)
        #expect(
            errors.contains { $0.hasPrefix("error: broker localhost:") || $0.hasPrefix("error: broker 127.0.0.1:") },
            "\(errors)")
    }

    @Test("A reader that goes away ends the output without an error")
    func closedPipe() async throws {
        let directory = try TemporaryDirectory()
        var capture = Capture()
        for _ in 0..<20_000 { capture.addBeacon() }
        let path = try directory.write("capture", capture.bytes)
        let (status, output, errors) = try await ChildProcess.run(
            "bash", ["-c", "set -o pipefail; \(BuiltProgram.path("beacon-gateway")) scan --replay \(path) | head -n 1"])
        #expect(status == 0, "\(errors)")
        #expect(output.count == 1)
    }
}
