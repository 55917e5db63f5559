import BeaconModel
import ModuleEmulator
import TestSupport
import Testing

@testable import Gateway

/// provision --inventory, modules and verify, as an installer types them, with modules at pseudo-terminals.
@Suite(.timeLimit(.minutes(2))) struct InventoryCommandTests {
    private final class Bench: Sendable {
        let directory: TemporaryDirectory
        let modules: [EmulatedModule]
        let inventory: String
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
            try write(count)
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
            let all = arguments + (["provision", "modules"].contains(arguments[0]) ? ports : [])
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
        #expect(plan.status == 0)
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
        let entries = AuditLog(path: bench.inventory + ".audit.jsonl", actor: "").entries()
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
        #expect(apply.errors.contains("what to do: burn the firmware"), "\(apply.errors)")
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
        #expect(row?.contains("m1: was given e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/2, -59 dBm") == true)
        bench.stop()
    }

    @Test("verify with a module as the ear hears the others, and names the one that advertises something else")
    func verify() async throws {
        let bench = try Bench(3)
        _ = try await bench.run("provision", "--inventory", bench.inventory, "--apply")
        let ear = bench.directory.path + "/port2"
        let good = try await bench.run("verify", "--inventory", bench.inventory, "--ear", ear, "--at-least", "1s")
        #expect(good.status == 0, "\(good)")
        let summary = "2 of 2 are on the air as they should be. m2 listens and wasn't verified."
        #expect(good.output.contains(summary), "\(good.output)")
        try bench.write(3) { $0.replacing(",3,2,-59", with: ",3,9,-59") }
        let bad = try await bench.run(
            "verify", "--inventory", bench.inventory, "--ear", ear, "--at-least", "1s", "--timeout", "3s")
        #expect(bad.status == 69)
        let row = bad.output.split(separator: "\n").first { $0.hasPrefix("m1") }
        #expect(row?.contains("ADVERTISES SOMETHING ELSE: e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/2") == true, "\(bad)")
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
