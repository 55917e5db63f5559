import Testing

/// Emulated modules whose advertisements are really transmitted by the virtual controller.
@Suite(.timeLimit(.minutes(20))) struct EmulatedModuleTests {
    @Test("What modules were provisioned with is heard by the adapter, each from its own address and place")
    func verified() async throws {
        let results = try await VirtualMachine.shared.results()
        let report = results.lines("air.verify.txt")
        #expect(results.lines("air.verify.status") == ["0"], "\(report) \(results.log)")
        for (row, module) in [("door", 1), ("lift", 2), ("desk", 3)] {
            let line = report.first { $0.hasPrefix("\(row) ") } ?? ""
            #expect(line.contains("88:DA:1A:E8:06:\(["6F", "70", "71"][module - 1])  ok, "), "\(report)")
            #expect(line.contains(" \(-50 - 3 * module) dBm "), "\(report)")
        }
        #expect(report.last == "3 of 3 beacons are on the air as specified.")
    }

    @Test("A module that advertises something else is named together with what it advertises")
    func somethingElse() async throws {
        let results = try await VirtualMachine.shared.results()
        let report = results.lines("air.verify-changed.txt")
        #expect(results.lines("air.verify-changed.status") == ["1"], "\(report) \(results.log)")
        let beacon = "b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401/7/99"
        #expect(
            report.contains { $0.hasPrefix("lift ") && $0.hasSuffix("ADVERTISES SOMETHING ELSE: \(beacon)") },
            "\(report)")
        #expect(
            report.contains {
                $0.hasPrefix("not in the inventory: \(beacon), received ") && $0.hasSuffix(" from 88:DA:1A:E8:06:70")
            }, "\(report)")
    }

    @Test("An identity that two modules advertise is found, with the addresses of both")
    func twins() async throws {
        let report = try await VirtualMachine.shared.results().lines("air.verify-changed.txt")
        #expect(
            report.contains {
                $0.hasPrefix("door ")
                    && $0.hasSuffix("ON THE AIR 2 TIMES: from 88:DA:1A:E8:06:6F, 88:DA:1A:E8:06:71")
            }, "\(report)")
    }

    @Test("The daemon hears the modules that it has provisioned", arguments: ["door", "lift", "desk"])
    func heard(module: String) async throws {
        let results = try await VirtualMachine.shared.results()
        let messages = try ModuleMessage.read(results.lines("supervisor.mqtt"), about: module)
        let first = try #require(messages.first { $0.state == "advertising" }, "\(messages) \(results.log)")
        #expect(first.heard == "heard")
        #expect(first.advertisingType == 131)
        #expect(first.rssi.map { (-59 ... -53).contains($0) } == true, "\(first)")
        // What came before the broker was there is replaced by what came after it.
        let states = ModuleMessage.states(messages)
        let begun = states.prefix { $0 != "advertising" }
        #expect(begun.contains("provisioning") || begun.contains("unverified"), "\(states)")
    }

    @Test("A module that listens is a receiver of its own, and is heard as well")
    func listens() async throws {
        let results = try await VirtualMachine.shared.results()
        let records = results.lines("supervisor.mqtt").filter {
            $0.contains("/7/1/interaction ") && $0.contains(#""ear":"desk""#)
        }
        let first = try #require(records.first, "\(results.log)")
        #expect(first.contains(#""room":"Office""#), "\(first)")
        let states = results.lines("supervisor.mqtt").filter { $0.contains("/module/desk/state ") }
        #expect(states.contains { $0.contains(#""listening":{"#) && $0.contains(#""state":"listening""#) }, "\(states)")
    }

    @Test("A module that was reset is repaired and heard again within half a minute; the others stay as they are")
    func repaired() async throws {
        let results = try await VirtualMachine.shared.results()
        let lines = results.lines("supervisor.mqtt")
        let states = ModuleMessage.states(try ModuleMessage.read(lines, about: "lift"))
        let fall = try #require(states.firstIndex(of: "advertising"), "\(states)")
        #expect(states[fall...].contains("provisioning"), "\(states)")
        #expect(states.last == "advertising", "\(states)")
        let seconds = try #require(results.lines("supervisor.repair-seconds").first.flatMap(Double.init))
        #expect(seconds < 30)
        let first = results.lines("supervisor.first-seconds").first ?? "?"
        print("three modules heard \(first) s after the daemon's start; one again \(seconds) s after its reset")
        for module in ["door", "desk"] {
            let states = ModuleMessage.states(try ModuleMessage.read(lines, about: module))
            #expect(states.last == "advertising" && states.count { $0 == "advertising" } == 1, "\(states)")
        }
        // What the daemon says is what was on the air.
        let air = results.lines("supervisor.controller.log").filter { $0.contains(" module 2 ") }
            .map { $0.contains("advertises") }
        #expect(air.prefix(3) == [true, false, true], "\(air)")
    }
}
