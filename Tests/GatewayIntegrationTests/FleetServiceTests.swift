import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import TestSupport
import Testing

@testable import GatewayDaemon

/// The daemon, with modules at pseudo-terminals, a real broker, and somebody who gives commands.
@Suite(.timeLimit(.minutes(10))) struct FleetServiceTests {
    /// A running daemon and what surrounds it.
    private final class Bench: Sendable {
        let directory: TemporaryDirectory
        let broker: TestBroker
        let modules: [EmulatedModule]
        let daemon: ChildProcess
        let received: LineStream

        static let root = "beacons/v1/s/b/1/g"

        /// - Parameter further: tables of the configuration.
        init(_ broker: TestBroker, modules count: Int, further: String = "") async throws {
            self.broker = broker
            directory = try TemporaryDirectory()
            var modules: [EmulatedModule] = []
            for index in 0..<count {
                var options = RS9116Emulator.Options()
                options.loadingDelay = .milliseconds(1)
                options.bluetoothLoadingDelay = .milliseconds(1)
                options.address = BluetoothAddress(bits: 0x88DA_1A00_0000 + UInt64(index))
                modules.append(try EmulatedModule(options: options, link: "\(directory.path)/port\(index)"))
            }
            self.modules = modules
            let inventory = Self.inventory(directory, minors: (0..<count).map { $0 + 1 })
            _ = try directory.write("inventory.csv", inventory)
            let configuration = try directory.write(
                "gateway.toml",
                """
                inventory = "inventory.csv"
                [place]
                site = "s"
                building = "b"
                floor = "1"
                gateway = "g"
                [metrics]
                listen = "off"
                [mqtt]
                host = "127.0.0.1"
                port = \(broker.port)
                [state]
                directory = "\(directory.path)"
                \(further)
                """)
            received = try await broker.subscribe(to: Self.root + "/#")
            daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
        }

        static func inventory(_ directory: TemporaryDirectory, minors: [Int]) -> String {
            "name,module,uuid,major,minor,measured-power\n"
                + minors.enumerated().map {
                    "m\($0.offset),\(directory.path)/port\($0.offset),e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,\($0.element),-59\n"
                }.joined()
        }

        /// - Parameter further: other arguments of `mosquitto_pub`.
        func command(_ name: String, _ payload: String, _ further: String...) async throws {
            _ = try await ChildProcess.run(
                "mosquitto_pub",
                [
                    "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "\(Self.root)/command/\(name)", "-m",
                    payload,
                ] + further)
        }

        func event(_ module: Int, _ type: String) async -> String? {
            await received.first { $0.contains("/module/m\(module)/event ") && $0.contains(#""type":"\#(type)""#) }
        }

        /// Waits for a state of a module.
        func state(_ module: Int, _ parts: String...) async -> String? {
            await received.first { line in
                line.contains("/module/m\(module)/state ") && parts.allSatisfy { line.contains($0) }
            }
        }

        func reply(_ name: String) async -> String? { await received.first { $0.contains("/reply/\(name) ") } }

        func end() async {
            daemon.send(signal: 15)
            _ = await daemon.exitStatus()
            for module in modules { module.stop() }
        }
    }

    @Test("Modules are provisioned, each says so on its topic, unverified where there is no receiver")
    func states() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 2)
            // In whichever order they come.
            var waiting: Set = [0, 1]
            _ = await bench.received.first { line in
                guard let module = waiting.first(where: { line.contains("/module/m\($0)/state ") }),
                    line.contains(#""state":"unverified""#)
                else { return false }
                #expect(line.contains(#""applied":{"intervalMs":100"#), "\(line)")
                #expect(line.contains(#""address":"88:DA:1A:00:00:0\#(module)""#))
                waiting.remove(module)
                return waiting.isEmpty
            }
            #expect(bench.modules.allSatisfy { $0.currentAir.advertising })
            await bench.end()
        }
    }

    @Test("identify, reset and provision are answered; what isn't understood is refused with what is allowed")
    func commands() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            try await bench.command("identify", #"{"module":"m0","correlation":"a"}"#)
            let identified = await bench.reply("identify")
            #expect(identified?.contains(#""correlation":"a","module":"m0","ok":true"#) == true, "\(identified ?? "")")
            try await bench.command("reset", #"{"module":"m0","correlation":"b"}"#)
            let reset = await bench.reply("reset")
            #expect(reset?.contains(#""correlation":"b","module":"m0","ok":true,"text":"it advertises""#) == true)
            try await bench.command("reset", "{")
            #expect(await bench.reply("reset")?.contains(#""ok":false"#) == true)
            try await bench.command("reset", #"{"module":"window"}"#)
            #expect(await bench.reply("reset")?.contains("there is no module window; the modules are m0") == true)
            try await bench.command("dance", "{}")
            #expect(await bench.reply("dance")?.contains("provision, identify, reset") == true)
            await bench.end()
        }
    }

    @Test("A command with a response topic of MQTT 5 is answered there, with its correlation data, and not twice")
    func responseTopic() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            let answers = try await broker.subscribe(to: "apps/#", format: "%t %D %p")
            for _ in 0..<2 {
                try await bench.command(
                    "identify", #"{"module":"m0"}"#, "-V", "5", "-D", "publish", "response-topic", "apps/7", "-D",
                    "publish", "correlation-data", "k9")
                let answer = await answers.first()
                #expect(answer?.hasPrefix("apps/7 k9 ") == true && answer?.contains(#""ok":true"#) == true)
            }
            // The second was the first one again.
            let entries = { AuditLog(path: bench.directory.path + "/audit.jsonl", actor: "").entries() }
            #expect(entries().count { $0.action == "commanded-identify" } == 1)
            try await bench.command(
                "identify", #"{"module":"m0"}"#, "-V", "5", "-D", "publish", "response-topic",
                Bench.root + "/status")
            #expect(await bench.reply("identify")?.contains("the response topic is not used: it is below") == true)
            await bench.end()
        }
    }

    @Test("A reset that comes again is done once, and a flood of commands is refused with a time")
    func repeatedAndTooMany() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1, further: "[commands]\nper-minute = 1\nburst = 2")
            _ = await bench.state(0, #""state":"unverified""#)
            for _ in 0..<2 { try await bench.command("reset", #"{"module":"m0","correlation":"x"}"#) }
            #expect(await bench.reply("reset")?.contains(#""text":"it advertises""#) == true)
            try await bench.command("rescan", #"{"correlation":"y"}"#)
            let refused = await bench.received.first { $0.contains("too many commands") }
            #expect(refused?.contains(#""correlation":"y""#) == true, "\(refused ?? "")")
            await bench.end()
            let entries = AuditLog(path: bench.directory.path + "/audit.jsonl", actor: "").entries()
            #expect(entries.count { $0.action == "commanded-reset" } == 1)
            let noted = entries.filter { $0.action == "command-reset" }
            #expect(noted.map(\.correlation) == ["x"] && noted.first?.result == "it advertises")
        }
    }

    @Test("Limits of commands that were changed hold once the configuration is read again")
    func changedLimits() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1, further: "[commands]\nper-minute = 1\nburst = 1")
            _ = await bench.state(0, #""state":"unverified""#)
            for name in ["a", "b"] { try await bench.command("rescan", #"{"correlation":"\#(name)"}"#) }
            let refused = await bench.received.first { $0.contains("too many commands") }
            #expect(refused?.contains(#""correlation":"b""#) == true, "\(refused ?? "")")
            let file = bench.directory.path + "/gateway.toml"
            let text = try #require(SystemFiles.text(file))
            _ = try bench.directory.write("gateway.toml", text.replacing("burst = 1", with: "burst = 5"))
            bench.daemon.send(signal: SIGHUP)
            _ = await bench.daemon.errorOutput.first { $0.contains("configuration reloaded") }
            try await bench.command("rescan", #"{"correlation":"c"}"#)
            let taken = await bench.received.first {
                $0.contains("/reply/rescan ") && $0.contains(#""correlation":"c""#)
            }
            #expect(taken?.contains("too many commands") == false, "\(taken ?? "")")
            await bench.end()
        }
    }

    @Test("rescan says what was done with each adapter")
    func rescan() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            try await bench.command("rescan", #"{"adapter":"hci0","correlation":"a"}"#)
            let reply = await bench.reply("rescan")
            #expect(reply?.contains(#""adapter":"hci0","command":"rescan","correlation":"a""#) == true)
            #expect(reply?.contains("trying now") == true || reply?.contains("is restarted") == true)
            try await bench.command("rescan", #"{"adapter":"hci9"}"#)
            #expect(await bench.reply("rescan")?.contains("there is no adapter hci9") == true)
            await bench.end()
        }
    }

    @Test("A module that is unplugged, and comes back, is a record of each")
    func events() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            bench.modules[0].unplug()
            let failed = await bench.event(0, "module.failed")
            #expect(failed?.contains(#""state":"absent""#) == true, "\(failed ?? "")")
            #expect(failed?.hasPrefix("0 1 ") == true, "not retained, QoS 1")
            try bench.modules[0].plug(link: bench.directory.path + "/port0")
            // A slow module may fail once more on its way back, and a minute's readings may take a number in between.
            var events = [failed]
            while let event = events.last ?? nil, !event.contains(#""type":"module.recovered""#) {
                events.append(await bench.received.first { $0.contains("/module/m0/event ") })
            }
            let sequences = events.compactMap { $0?.firstMatch(of: /"sequence":(\d+)/).flatMap { Int($0.1) } }
            #expect(sequences.count == events.count && zip(sequences, sequences.dropFirst()).allSatisfy(<), "\(events)")
            #expect(events.last??.contains(#""minor":1"#) == true)
            await bench.end()
        }
    }

    @Test("A changed inventory is applied when somebody says provision, and a broken one changes nothing")
    func inventory() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            _ = try bench.directory.write("inventory.csv", Bench.inventory(bench.directory, minors: [77]))
            try await bench.command("provision", #"{"module":"m0"}"#)
            #expect(await bench.state(0, #""state":"unverified""#, #""minor":77"#) != nil)
            #expect(bench.modules[0].currentAir.data.suffix(3) == [0, 77, 0xC5])
            _ = try bench.directory.write("inventory.csv", Bench.inventory(bench.directory, minors: [70_000]))
            try await bench.command("provision", "{}")
            let refusal = await bench.received.first { $0.contains("/reply/provision ") && $0.contains("70000") }
            #expect(refusal?.contains(#""ok":false"#) == true, "\(refusal ?? "")")
            #expect(bench.modules[0].currentAir.data.suffix(3) == [0, 77, 0xC5])
            await bench.end()
        }
    }

    @Test("A module that is unplugged is named, and has its identity again when it is back")
    func unplugged() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            bench.modules[0].unplug()
            let failed = await bench.state(0, #""state":"absent""#, "was disconnected")
            #expect(failed?.contains("plug it in again") == true, "\(failed ?? "")")
            try bench.modules[0].plug(link: bench.directory.path + "/port0")
            #expect(await bench.state(0, #""state":"unverified""#) != nil)
            #expect(bench.modules[0].currentAir.advertising)
            await bench.end()
        }
    }

    @Test("The audit log says who changed what")
    func audit() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker, modules: 1)
            _ = await bench.state(0, #""state":"unverified""#)
            await bench.end()
            let entries = AuditLog(path: bench.directory.path + "/audit.jsonl", actor: "").entries()
            #expect(entries.map(\.action) == ["plugged", "provisioned"])
            #expect(entries.last?.after?.minor == 1)
            #expect(entries.last?.who == "gateway")
        }
    }
}
