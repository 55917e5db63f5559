import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import TestSupport
import Testing

@testable import GatewayDaemon

/// provision --inventory, modules and verify, as an installer types them, with modules at pseudo-terminals.
@Suite(.timeLimit(.minutes(10))) struct InventoryCommandTests {
    private final class Bench: Sendable {
        let directory: TemporaryDirectory
        let modules: [EmulatedModule]
        let inventory: String
        /// The gateway's.
        let state: String
        private let air: EmulatedAir

        init(_ count: Int, change: (Int, inout RS9116Emulator.Options) -> Void = { _, _ in }) throws {
            directory = try TemporaryDirectory()
            var modules: [EmulatedModule] = []
            for index in 0..<count {
                var options = RS9116Emulator.Options()
                options.loadingDelay = .milliseconds(1)
                options.bluetoothLoadingDelay = .milliseconds(1)
                options.address = BluetoothAddress(bits: 0x88DA_1A00_0000 + UInt64(index))
                change(index, &options)
                modules.append(try EmulatedModule(options: options, link: "\(directory.path)/port\(index)"))
            }
            self.modules = modules
            air = try EmulatedAir(modules)
            inventory = directory.path + "/i.csv"
            state = directory.path + "/state"
            try write(count)
        }

        /// Has rows for any module instead.
        func writeAny(_ names: String...) throws {
            let rows = names.enumerated().map {
                "\($0.element),any,e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,\($0.offset + 1),-59\n"
            }
            _ = try directory.write("i.csv", "name,module,uuid,major,minor,measured-power\n" + rows.joined())
        }

        /// The configuration of a gateway with this inventory.
        func writeConfiguration() throws -> String {
            try directory.write(
                "gateway.toml",
                """
                inventory = "i.csv"
                [place]
                site = "s"
                building = "b"
                floor = "1"
                gateway = "g"
                [mqtt]
                host = "127.0.0.1"
                port = 1
                [state]
                directory = "state"
                """)
        }

        func write(_ count: Int, change: (String) -> String = { $0 }) throws {
            let rows = (0..<count).map {
                "m\($0),88:DA:1A:00:00:0\($0),e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,\($0 + 1),-59\n"
            }
            _ = try directory.write(
                "i.csv", "name,module,uuid,major,minor,measured-power\n" + rows.map(change).joined())
        }

        func run(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
            let ports = modules.indices.flatMap { ["--port", "\(directory.path)/port\($0)"] }
            let isOfFile = arguments.contains("--inventory")
            let all =
                arguments + (["provision", "modules"].contains(arguments[0]) ? ports : [])
                + (isOfFile ? ["--state", state] : [])
            let (status, output, errors) = try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), all)
            return (status, output.joined(separator: "\n"), errors.joined(separator: "\n"))
        }

        func stop() {
            air.stop()
            for module in modules { module.stop() }
        }
    }

    @Test("plan changes nothing on the air, apply does what plan said, and again there is nothing to do")
    func planAndApply() async throws {
        let bench = try Bench(3)
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        #expect(plan.status == 1, "there is something to change")
        #expect(plan.output.contains("3 to change, 0 unchanged."), "\(plan.output)")
        #expect(bench.modules.allSatisfy { !$0.currentAir.advertising })
        let apply = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        #expect(apply.status == 0)
        #expect(apply.output.contains("3 changed, 0 unchanged."), "\(apply.output)")
        #expect(bench.modules.map { $0.currentAir.data.suffix(3) } == [[0, 1, 0xC5], [0, 2, 0xC5], [0, 3, 0xC5]])
        let again = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        #expect(again.status == 0)
        #expect(again.output.contains("0 changed, 3 unchanged."), "\(again.output)")
        #expect(again.output.contains("no change; sent again"))
        #expect(try await bench.run("provision", "--inventory", bench.inventory, "--plan").status == 0)
        bench.stop()
    }

    @Test("What somebody changed at a terminal isn't called right by a plan, and apply puts it right")
    func stranger() async throws {
        let bench = try Bench(2)
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        bench.modules[0].type("at+rsibt_advertise=0,131,0,0,0,160,160,0,7\r\n")
        bench.modules[0].type("at+rsibt_setadvertisedata=3,2,1,6\r\n")
        bench.modules[0].type("at+rsibt_advertise=1,131,0,0,0,160,160,0,7\r\n")
        try #require(bench.modules[0].currentAir.data == [2, 1, 6])
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        #expect(plan.output.contains("0 to change, 0 unchanged, 2 to be sent again."), "\(plan.output)")
        #expect(bench.modules[0].currentAir.data == [2, 1, 6])
        let apply = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        #expect(apply.status == 0)
        #expect(bench.modules[0].currentAir.data.suffix(3) == [0, 1, 0xC5])
        bench.stop()
    }

    @Test("A changed row is a plan that names the difference, old and new, and changes that module alone")
    func difference() async throws {
        let bench = try Bench(2)
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        try bench.write(2) { $0.replacing(",3,2,-59", with: ",3,9,-62") }
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        #expect(plan.output.contains("minor           2 -> 9"), "\(plan.output)")
        #expect(plan.output.contains("measured-power  -59 dBm -> -62 dBm"))
        #expect(plan.output.contains("1 to change, 0 unchanged, 1 to be sent again."))
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        #expect(bench.modules[1].currentAir.data.suffix(3) == [0, 9, 0xC2])
        let entries = AuditLog(path: bench.state + "/audit.jsonl", actor: "").entries()
        #expect(entries.compactMap(\.module).sorted() == ["m0", "m1", "m1"])
        #expect(entries.last?.before?.minor == 2)
        #expect(entries.last?.after?.minor == 9)
        bench.stop()
    }

    @Test("A module that fails is named with what to do; the others are provisioned; the status is 69")
    func failure() async throws {
        let bench = try Bench(2) { index, options in if index == 1 { options.imageIsMissing = true } }
        let apply = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        #expect(apply.status == 69)
        #expect(apply.output.contains("1 changed, 0 unchanged"), "\(apply.output)")
        #expect(apply.output.contains("1 failed"))
        #expect(apply.errors.contains("what to do: write the firmware"), "\(apply.errors)")
        #expect(!apply.output.contains("what to do"))
        #expect(bench.modules[0].currentAir.advertising)
        bench.stop()
    }

    @Test("modules says who is on each port and what it advertises")
    func modules() async throws {
        let bench = try Bench(2)
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        let list = try await bench.run("modules", "--inventory", bench.inventory)
        #expect(list.status == 0)
        let row = list.output.split(separator: "\n").last { $0.contains("/port1 ") }
        #expect(row?.contains("88:DA:1A:00:00:01") == true, "\(list.output)")
        #expect(row?.contains("1610.2.5.2.0.4") == true)
        #expect(row?.contains("m1: was provisioned with e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/2, -59 dBm") == true)
        bench.stop()
    }

    @Test("verify with a module as the receiver hears the others, and names the one that advertises something else")
    func verify() async throws {
        let bench = try Bench(3)
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        let receiver = bench.directory.path + "/port2"
        let good = try await bench.run(
            "verify", "--inventory", bench.inventory, "--receiver", receiver, "--at-least", "1s")
        #expect(good.status == 0, "\(good)")
        let summary = "2 of 2 beacons are on the air as specified. m2 is the receiver and was not verified."
        #expect(good.output.contains(summary), "\(good.output)")
        try bench.write(3) { $0.replacing(",3,2,-59", with: ",3,9,-59") }
        let bad = try await bench.run(
            "verify", "--inventory", bench.inventory, "--receiver", receiver, "--at-least", "1s", "--timeout", "3s")
        #expect(bad.status == 1, "the answer is no")
        let row = bad.output.split(separator: "\n").first { $0.hasPrefix("m1") }
        #expect(row?.contains("ADVERTISES SOMETHING ELSE: e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/2") == true, "\(bad)")
        bench.stop()
    }

    @Test(
        "A module that listens isn't missed, when its row means it by its port or by a link to it",
        arguments: [true, false]
    )
    func verifyByPort(isLink: Bool) async throws {
        let bench = try Bench(2)
        try bench.write(2) { row in
            (0..<2).reduce(row) { $0.replacing("88:DA:1A:00:00:0\($1)", with: "\(bench.directory.path)/port\($1)") }
        }
        // Provisioned with other files: nobody knows the modules' addresses.
        let other = bench.directory.path + "/other"
        _ = try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"),
            ["provision", "--inventory", bench.inventory, "--apply", "--state", other])
        let port = bench.directory.path + "/port1"
        let good = try await bench.run(
            "verify", "--inventory", bench.inventory, "--receiver", isLink ? port : SystemFiles.real(port),
            "--at-least", "1s", "--timeout", "20s")
        #expect(good.status == 0, "\(good)")
        #expect(
            good.output.contains("1 of 1 beacons are on the air as specified. m1 is the receiver and was not verified.")
        )
        bench.stop()
    }

    @Test("A plan for modules that aren't plugged in doesn't say that all is well")
    func missing() async throws {
        let bench = try Bench(1)
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        try bench.write(2)
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        #expect(plan.status == 69)
        #expect(plan.output.contains("1 without a module"), "\(plan.output)")
        bench.stop()
    }

    @Test("Which module has which row is in the gateway's state directory, by the configuration and by --state")
    func onePlace() async throws {
        let bench = try Bench(2)
        try bench.writeAny("door", "hall")
        let configuration = try bench.writeConfiguration()
        let apply = try await bench.run("provision", "--config", configuration, "--apply")
        #expect(apply.status == 0, "\(apply)")
        let file = BindingsFile.ofGateway(bench.state)
        let expected = [
            BluetoothAddress(bits: 0x88DA_1A00_0000): "door", BluetoothAddress(bits: 0x88DA_1A00_0001): "hall",
        ]
        #expect(try file.read() == expected)
        #expect(!SystemFiles.exists(BindingsFile.beside(bench.inventory).path))
        // The modules have forgotten all that they were told; in the order of rows and addresses they would change.
        try file.write([
            BluetoothAddress(bits: 0x88DA_1A00_0001): "door", BluetoothAddress(bits: 0x88DA_1A00_0000): "hall",
        ])
        for module in bench.modules { module.pressReset() }
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        let row = plan.output.split(separator: "\n").first { $0.contains(" door ") && $0.hasPrefix("+") }
        #expect(row?.contains("88:DA:1A:00:00:01") == true, "\(plan.output)")
        bench.stop()
    }

    @Test("A gateway takes over what was kept beside its inventory, and while it runs nobody else changes its modules")
    func takenOver() async throws {
        let bench = try Bench(1)
        try bench.writeAny("door", "hall")
        let configuration = try bench.writeConfiguration()
        let address = BluetoothAddress(bits: 0x88DA_1A00_0000)
        try BindingsFile.beside(bench.inventory).write([address: "hall"])
        let daemon = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "10"])
        #expect(await daemon.errorOutput.first { $0.contains("module bindings taken over") } != nil)
        #expect(try BindingsFile.ofGateway(bench.state).read() == [address: "hall"])
        let refused = try await bench.run("provision", "--config", configuration, "--apply")
        #expect(refused.status == 69)
        #expect(
            refused.errors.contains("a gateway is running with the state directory \(bench.state)"), "\(refused.errors)"
        )
        // Its services run, so that a signal ends it in an orderly way.
        #expect(await daemon.errorOutput.first { $0.contains("connecting to the broker") } != nil)
        daemon.send(signal: SIGTERM)
        let status = await daemon.exitStatus()
        #expect(status == 0)
        bench.stop()
    }

    @Test("A module whose row is gone isn't moved to another row unless that is asked for")
    func rebind() async throws {
        let bench = try Bench(1)
        try bench.writeAny("hall")
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        try bench.writeAny("desk")
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        #expect(plan.status == 69)
        #expect(plan.output.contains("is bound to the row hall, which is no longer"), "\(plan.output)")
        let mistaken = try await bench.run(
            "provision", "--inventory", bench.inventory, "--apply", "--rebind", "door")
        #expect(mistaken.status == 64)
        #expect(mistaken.errors.contains("the rows bound to modules are hall"), "\(mistaken.errors)")
        let asked = try await bench.run("provision", "--inventory", bench.inventory, "--apply", "--rebind", "hall")
        #expect(asked.status == 0, "\(asked)")
        #expect(try BindingsFile.ofGateway(bench.state).read().values.map { $0 } == ["desk"])
        bench.stop()
    }

    @Test("Lists of modules, of changes and of what is heard are JSON lines for programs")
    func json() async throws {
        let bench = try Bench(2)
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan", "--json")
        #expect(plan.status == 1)
        #expect(plan.output.split(separator: "\n").count == 2, "\(plan)")
        #expect(
            plan.output.split(separator: "\n").first?.hasPrefix(
                #"{"address":"88:DA:1A:00:00:00","details":["advertises nothing -> "#) == true, "\(plan)")
        #expect(
            plan.output.contains(
                #""isApplied":false,"name":"m1","port":"\#(bench.directory.path)/port1","result":"set"}"#))
        let apply = try await bench.run(
            "provision", "--inventory", bench.inventory, "--apply", "--json")
        #expect(
            apply.output.split(separator: "\n").count { $0.contains(#""isApplied":true"#) } == 2,
            "\(apply)")
        let modules = try await bench.run("modules", "--inventory", bench.inventory, "--json")
        #expect(
            modules.output.split(separator: "\n").contains {
                $0.hasPrefix(
                    #"{"address":"88:DA:1A:00:00:01","firmware":"1610.2.5.2.0.4","listens":false,"module":"m1","#)
            }, "\(modules)")
        let receiver = bench.directory.path + "/port1"
        let verify = try await bench.run(
            "verify", "--inventory", bench.inventory, "--receiver", receiver, "--at-least", "1s", "--json")
        #expect(verify.status == 0)
        let results = verify.output.split(separator: "\n").map { $0.contains(#""isGood":true"#) }
        #expect(results == [true, true], "\(verify)")
        #expect(verify.output.contains(#""name":"m1","result":"listens""#), "\(verify)")
        bench.stop()
    }

    @Test("A broken inventory starts nothing, and says row and column")
    func broken() async throws {
        let bench = try Bench(1)
        try bench.write(1) { $0.replacing(",3,1,", with: ",3,70000,") }
        let plan = try await bench.run("provision", "--inventory", bench.inventory, "--plan")
        #expect(plan.status == 78)
        #expect(plan.errors.contains("row 2 (m0), column minor"), "\(plan.errors)")
        bench.stop()
    }
}
