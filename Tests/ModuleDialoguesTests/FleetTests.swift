import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// The supervision of modules, in simulated time.
@Suite struct FleetTests {
    private static func entry(
        _ name: String, _ module: ModuleSelector, minor: UInt16 = 1, kind: ModuleKind = .rs9116
    ) -> InventoryEntry {
        InventoryEntry(
            name: name, module: module, kind: kind,
            configuration: BeaconConfiguration(
                beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 3, minor: minor), measuredPower: -59))
    }

    private static let address = BluetoothAddress(bits: 0x88DA_1AE8_066F)

    private func building(
        hasReceiver: Bool = true, _ change: (inout RS9116Emulator.Options) -> Void = { _ in }
    ) -> SimulatedBuilding {
        var options = RS9116Emulator.Options()
        change(&options)
        return SimulatedBuilding(
            Inventory(entries: [Self.entry("door", .address(options.address))]),
            emulators: [RS9116Emulator(options: options)], hasReceiver: hasReceiver)
    }

    private func condition(_ building: SimulatedBuilding) -> ModuleStatus.Condition? {
        building.statuses["door"]?.condition
    }

    @Test("A module that is plugged in advertises within 6 s, and that is claimed once it was heard")
    func plugged() {
        var building = building()
        // Whose module it is isn't known before it has answered.
        #expect(condition(building) == .absent)
        building.run(until: .seconds(6))
        #expect(building.isRight(0))
        #expect(condition(building) == .advertising)
        #expect(building.statuses["door"]?.heard?.address == Self.address)
    }

    @Test("At the start a module is absent if its port is not there, and is being provisioned if it is")
    func start() {
        let entries = [Self.entry("door", .port("/dev/pts/1")), Self.entry("hall", .port("/dev/pts/2"), minor: 2)]
        var fleet = Fleet(inventory: Inventory(entries: entries))
        let actions = fleet.start(ports: [SerialPortDescription(device: "/dev/pts/1", names: [], usb: nil)])
        let states = actions.compactMap { action -> String? in
            guard case .status(let status) = action else { return nil }
            return "\(status.entry.name) \(status.condition)"
        }
        #expect(states.sorted() == ["door provisioning", "hall absent"])
    }

    @Test func `Modules are searched for until each port has answered, or failed with every kind`() {
        let entries = [
            Self.entry("door", .address(Self.address)),
            Self.entry("hall", .address(BluetoothAddress(bits: 1)), minor: 2, kind: .hm10),
        ]
        var fleet = Fleet(inventory: Inventory(entries: entries))
        _ = fleet.start()
        #expect(!fleet.isSearching)
        let device = "/dev/ttyUSB0"
        let usb = USBIdentity(vendor: 0x0403, product: 0x6001, serial: "M1", text: nil)
        _ = fleet.handle(
            .portAppeared(SerialPortDescription(device: device, names: [], usb: usb)), now: .seconds(1))
        #expect(fleet.isSearching)
        _ = fleet.handle(.linkEnded(device: device, .ended), now: .seconds(2))
        // The other kind comes next.
        #expect(fleet.isSearching)
        _ = fleet.advance(to: .seconds(10))
        _ = fleet.handle(.linkEnded(device: device, .ended), now: .seconds(11))
        #expect(!fleet.isSearching)
    }

    @Test func `A module that has answered is not searched for`() {
        var building = building()
        building.run(until: .seconds(6))
        #expect(!building.isSearching)
    }

    @Test("Without a receiver it stays unverified")
    func unverified() {
        var building = building(hasReceiver: false)
        building.run(until: .seconds(600))
        #expect(building.isRight(0))
        #expect(condition(building) == .unverified)
    }

    @Test(
        "A silent reset is noticed and repaired: within 20 s with a receiver, within 45 s without",
        arguments: [true, false])
    func silentReset(hasReceiver: Bool) {
        var building = building(hasReceiver: hasReceiver)
        building.run(until: .seconds(100))
        building.schedule(.reset(0), at: .seconds(101))
        building.run(until: .seconds(102))
        #expect(!building.isRight(0))
        building.run(until: .seconds(hasReceiver ? 121 : 146))
        #expect(building.isRight(0))
        #expect(building.events.map(\.what).contains(.lost(.reset)))
    }

    @Test("A module that is plugged in again, on another port, has its identity again")
    func otherPort() {
        var building = building()
        building.run(until: .seconds(10))
        let port = building.statuses["door"]?.port
        building.schedule(.unplug(0), at: .seconds(11))
        building.run(until: .seconds(12))
        #expect(condition(building) == .absent)
        building.schedule(.plug(0), at: .seconds(20))
        building.run(until: .seconds(26))
        #expect(building.isRight(0))
        #expect(building.statuses["door"]?.port != port)
        #expect(building.events.contains { $0.what == .unplugged })
    }

    @Test("How a module was heard before it was pulled is no proof that it is heard when it is back")
    func hearingIsForgotten() {
        var building = building()
        building.run(until: .seconds(100))
        #expect(condition(building) == .advertising)
        building.deafen()
        building.schedule(.unplug(0), at: .seconds(101))
        building.schedule(.plug(0), at: .seconds(102))
        building.run(until: .seconds(108))
        #expect(building.isRight(0))
        #expect(condition(building) == .unverified)
    }

    @Test("A module that is reset by a command is advertising again when it was heard again")
    func commandedReset() {
        var building = building()
        building.run(until: .seconds(100))
        building.command(.init(.reset, module: "door", correlation: "1"))
        #expect(condition(building) == .unverified)
        building.run(until: .seconds(106))
        #expect(condition(building) == .advertising)
    }

    @Test("Firmware that somebody left running at another speed is found")
    func otherSpeed() {
        var building = building {
            $0.initialState = .atMode(opermodeDone: true)
            $0.baud = 9600
        }
        building.run(until: .seconds(12))
        #expect(building.isRight(0))
    }

    @Test("A central that connects and so stops the advertising is sent away")
    func central() {
        var building = building { $0.nonConnectableRejection = 0x4E11 }
        building.run(until: .seconds(10))
        building.schedule(.connect(0), at: .seconds(11))
        building.run(until: .seconds(16))
        #expect(building.isRight(0))
        #expect(building.events.map(\.what).contains(.lost(.central)))
    }

    @Test(
        "A module that is stuck in binary mode is named once, with what a person must do, and tried again ever more rarely"
    )
    func binary() {
        var options = RS9116Emulator.Options()
        options.initialState = .binaryMode
        var building = SimulatedBuilding(
            Inventory(entries: [Self.entry("door", .usbSerial("M0"))]),
            emulators: [RS9116Emulator(options: options)], hasReceiver: true)
        building.run(until: .seconds(3600))
        #expect(condition(building) == .failed)
        #expect(building.statuses["door"]?.problem?.remedy?.contains("press RESET") == true)
        let failures = building.events.filter { if case .failed = $0.what { true } else { false } }
        #expect(failures.count == 1)
        // A person presses the button.
        building.schedule(.reset(0), at: .seconds(3601))
        building.run(until: .seconds(3600 + 660))
        #expect(building.isRight(0))
    }

    @Test("A port whose module never says who it is is told by the port's name")
    func unidentified() {
        var building = building { $0.isMute = true }
        building.run(until: .seconds(60))
        #expect(condition(building) == .absent)
        #expect(building.otherPorts.map(\.port) == ["/dev/ttyUSB1"])
        #expect(building.otherPorts.first?.problem.remedy?.contains("press RESET") == true)
    }

    @Test("A module that the inventory has nothing for is left alone, and named")
    func stranger() {
        var building = SimulatedBuilding(
            Inventory(entries: [Self.entry("door", .address(BluetoothAddress(bits: 1)))]),
            emulators: [RS9116Emulator(options: .init())], hasReceiver: true)
        building.run(until: .seconds(60))
        #expect(!building.air(of: 0).advertising)
        #expect(building.otherPorts.map(\.address) == [Self.address])
    }

    @Test("Rows for any module go to those that come, and stay theirs")
    func anyModule() {
        var options = RS9116Emulator.Options()
        options.address = BluetoothAddress(bits: 2)
        var building = SimulatedBuilding(
            Inventory(entries: [Self.entry("door", .anyNew), Self.entry("hall", .anyNew, minor: 2)]),
            emulators: [RS9116Emulator(options: .init()), RS9116Emulator(options: options)], hasReceiver: true)
        building.run(until: .seconds(10))
        #expect(Set(building.bindings.values) == ["door", "hall"])
        let before = building.bindings
        for index in 0..<2 { building.schedule(.unplug(index), at: .seconds(11)) }
        building.schedule(.plug(1), at: .seconds(12))
        building.schedule(.plug(0), at: .seconds(13))
        building.run(until: .seconds(30))
        #expect(building.bindings == before)
        #expect(building.statuses.values.allSatisfy { $0.condition == .advertising })
    }

    @Test("A module whose radio stopped although it says that all is well is reset, because the radio is the judge")
    func jammed() {
        var building = building()
        building.run(until: .seconds(20))
        building.schedule(.jam(0), at: .seconds(21))
        building.run(until: .seconds(80))
        #expect(building.isRight(0))
        #expect(building.events.map(\.what).contains(.notHeard))
        #expect(condition(building) == .advertising)
    }

    @Test("A module that answers and is never heard is said to be not heard, not to advertise")
    func neverHeard() {
        var building = building()
        building.deafen()
        building.run(until: .seconds(600))
        #expect(building.isRight(0))
        #expect(condition(building) == .notHeard)
        #expect(building.statuses["door"]?.problem != nil)
    }

    @Test("The same code keeps an HM-10, beside an RS9116")
    func otherKind() {
        let hm10 = BluetoothAddress(bits: 0x8833_14DD_1AE8)
        var building = SimulatedBuilding(
            Inventory(entries: [
                Self.entry("door", .address(Self.address)),
                Self.entry("hall", .address(hm10), minor: 2, kind: .hm10),
            ]), emulators: [RS9116Emulator(options: .init()), HM10Emulator()], hasReceiver: true)
        building.run(until: .seconds(40))
        #expect(building.isRight(0))
        #expect(building.isRight(1))
        #expect(building.statuses["hall"]?.condition == .advertising)
    }

    @Test("Commands reach the module, and are answered when they are done")
    func commands() {
        var building = building()
        building.run(until: .seconds(10))
        building.command(.init(.identify, module: "door", correlation: "1"))
        building.command(.init(.reset, module: "door", correlation: "2"))
        building.command(.init(.reset, module: "window", correlation: "3"))
        #expect(building.replies.map(\.command.correlation) == ["1", "3"])
        #expect(building.replies.last?.text.contains("door") == true)
        building.run(until: .seconds(30))
        let done = building.replies.last
        #expect(done?.command.correlation == "2")
        #expect(done?.succeeded == true)
        #expect(building.isRight(0))
    }

    @Test("A command to a module that isn't plugged in is refused, and one to a module that goes away too")
    func commandToAbsent() {
        var building = building()
        building.run(until: .seconds(10))
        building.command(.init(.reset, module: "door", correlation: "1"))
        building.schedule(.unplug(0), at: .seconds(10.5))
        building.run(until: .seconds(11))
        #expect(building.replies.last?.succeeded == false)
        building.command(.init(.identify, module: "door", correlation: "2"))
        #expect(building.replies.last?.text == "the module is not connected")
    }

    // MARK: Listening

    private func listeningBuilding(
        hasReceiver: Bool = true, _ change: (inout RS9116Emulator.Options) -> Void = { _ in }
    ) -> SimulatedBuilding {
        var options = RS9116Emulator.Options()
        change(&options)
        var entry = Self.entry("door", .address(options.address))
        entry.listens = true
        return SimulatedBuilding(
            Inventory(entries: [entry]), emulators: [RS9116Emulator(options: options)], hasReceiver: hasReceiver)
    }

    @Test("A module that shall listen does, once it advertises, and goes on advertising")
    func listens() {
        var building = listeningBuilding()
        #expect(building.statuses["door"]?.listening?.condition == .starting)
        building.run(until: .seconds(10))
        #expect(building.statuses["door"]?.listening?.condition == .listening)
        building.run(until: .seconds(3600))
        #expect(building.isRight(0))
        #expect(building.record(of: 0).longestGap < .seconds(6))
        #expect(condition(building) == .advertising)
    }

    @Test("A module that takes turns is never said not to be heard, nor reset for it", arguments: [true, false])
    func takesTurns(isHonest: Bool) {
        var building = listeningBuilding {
            $0.scanning = .silencesAdvertising
            $0.deviceStateIsAlwaysZero = !isHonest
        }
        building.run(until: .seconds(7200))
        #expect(building.statuses["door"]?.listening?.condition == .inTurns)
        #expect(condition(building) == .advertising)
        #expect(!building.events.contains { $0.what == .notHeard || $0.what == .lost(.reset) })
        // One that says nothing of its silence is found out by who doesn't hear it.
        #expect(building.record(of: 0).longestGap < .seconds(isHonest ? 7 : 20))
    }

    @Test("A firmware that doesn't listen is told of with a remedy, and stays a beacon")
    func refusesToListen() {
        var building = listeningBuilding { $0.scanning = .refused(0x4FF8) }
        building.run(until: .seconds(60))
        #expect(building.statuses["door"]?.listening == .init(.deaf, reason: .refused))
        #expect(building.statuses["door"]?.problem?.what.contains("does not listen") == true)
        #expect(condition(building) == .advertising)
    }

    @Test("A change of listen is taken up without a new beginning")
    func listeningChanges() {
        var building = building()
        building.run(until: .seconds(60))
        let provisionings = building.events.count
        var entry = Self.entry("door", .address(Self.address))
        entry.listens = true
        building.replace(Inventory(entries: [entry]))
        building.run(until: .seconds(70))
        #expect(building.statuses["door"]?.listening?.condition == .listening)
        entry.listens = false
        building.replace(Inventory(entries: [entry]))
        building.run(until: .seconds(80))
        #expect(building.statuses["door"]?.listening == nil)
        #expect(building.events.count == provisionings)
        #expect(building.isRight(0))
        #expect(building.record(of: 0).longestGap < .seconds(6))
    }

    @Test("A module that is unplugged and plugged in listens again")
    func pluggedListener() {
        var building = listeningBuilding()
        building.schedule(.unplug(0), at: .seconds(60))
        building.run(until: .seconds(61))
        #expect(building.statuses["door"]?.listening?.condition == .starting)
        building.schedule(.plug(0), at: .seconds(70))
        building.run(until: .seconds(85))
        #expect(building.statuses["door"]?.listening?.condition == .listening)
    }

    @Test("A flood of reports delays no supervision: a silent reset is repaired as fast as without")
    func floodAndReset() {
        var building = listeningBuilding(hasReceiver: false) { $0.crowd = 90 }
        building.run(until: .seconds(100))
        #expect(building.statuses["door"]?.listening?.condition == .listening)
        building.schedule(.reset(0), at: .seconds(101))
        building.run(until: .seconds(146))
        #expect(building.isRight(0))
        #expect(building.events.map(\.what).contains(.lost(.reset)))
        building.run(until: .seconds(150))
        #expect(building.statuses["door"]?.listening?.condition == .listening)
    }
}
