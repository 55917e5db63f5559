import TestValues
import Testing

/// Modules behind emulated USB serial adapters, with the kernel's own drivers and messages about what comes and goes.
@Suite(.full, .timeLimit(.minutes(20))) struct HotPlugTests {
    @Test("Every program in the machine ended as it should")
    func status() async throws {
        let results = try await VirtualMachine.hotplug.results()
        #expect(results.status == 0, "\(results.log)\n\(results.file("failures") ?? "")")
    }

    @Test("`modules` lists a USB adapter with its port, identifiers and serial number, and the module behind it")
    func listed() async throws {
        let results = try await VirtualMachine.hotplug.results()
        let line = results.lines("hotplug.modules.txt").last ?? ""
        #expect(
            line.split(separator: " ") == [
                "/dev/ttyUSB0", "0403:6001", "A1", "88:DA:1A:E8:06:6F", "1610.2.5.2.0.4", "advertises", "nothing",
            ], "\(results.log)")
    }

    @Test(
        "A module is provisioned and heard when its adapter is plugged in, absent when it is pulled, and found again",
        arguments: [("first", ["/dev/ttyUSB0", "/dev/ttyUSB1"]), ("second", ["/dev/ttyUSB1", "/dev/ttyUSB0"])])
    func replugged(module: String, ports: [String]) async throws {
        let results = try await VirtualMachine.hotplug.results()
        let messages = try ModuleMessage.read(results.lines("hotplug.mqtt"), about: module)
        // Between the end of the provisioning and the first hearing it may be unverified.
        let states = ModuleMessage.states(messages.filter { $0.state != "unverified" })
        #expect(
            states == ["absent", "provisioning", "advertising", "absent", "provisioning", "advertising"],
            "\(states) \(results.log)")
        let heard = messages.filter { $0.heard == "heard" }
        #expect(Set(heard.map(\.port)) == Set(ports), "the kernel gives the names in the order of plugging in")
        #expect(heard.first?.port == ports.first)
        #expect(Set(heard.map(\.address)).count == 1, "\(heard)")
        #expect(messages.allSatisfy { $0.error == nil }, "\(messages)")
    }

    @Test("What the daemon says of plugged modules is what was on the air: on, off, on")
    func air() async throws {
        let results = try await VirtualMachine.hotplug.results()
        print("two modules heard \(results.lines("hotplug.plug-seconds").first ?? "?") s after plugging in")
        for module in 1...2 {
            let air = results.lines("hotplug.controller.log").filter { $0.contains(" module \(module) ") }
                .map { $0.contains("advertises") }
            #expect(air == [true, false, true], "\(results.lines("hotplug.controller.log"))")
        }
    }
}
