import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// What the fleet must not be driven to, by accident or on purpose; its inputs are given by hand.
@Suite struct FleetAdversityTests {
    private static let address = RS9116Emulator.Options().address
    private static let other = BluetoothAddress(bits: 0x88DA_1A00_0001)
    private static let rs9116USB = USBIdentity(vendor: 0x1618, product: 0x9116, serial: nil, text: nil)

    private static func configuration(_ minor: UInt16) -> BeaconConfiguration {
        BeaconConfiguration(
            beacon: BeaconID(uuid: ProximityUUID(bits: 0xE2C5_6DB5), major: 1, minor: minor), measuredPower: -59)
    }

    private static func entry(_ name: String, _ module: ModuleSelector, minor: UInt16 = 1) -> InventoryEntry {
        InventoryEntry(name: name, module: module, configuration: configuration(minor))
    }

    private static func port(_ number: Int, serial: String? = nil) -> SerialPortDescription {
        SerialPortDescription(
            device: "/dev/ttyUSB\(number)", names: [],
            usb: USBIdentity(vendor: 0x0403, product: 0x6001, serial: serial, text: nil))
    }

    /// A fleet, and what came of it.
    private struct Bench {
        var fleet: Fleet
        var replies: [Fleet.Reply] = []
        var posts: [ModuleRequest] = []
        var opened: [String] = []
        var statuses = 0
        var last: ModuleStatus?

        init(_ entries: InventoryEntry...) { fleet = Fleet(inventory: Inventory(entries: entries)) }

        mutating func take(_ actions: [Fleet.Action]) {
            for action in actions {
                switch action {
                case .reply(let reply): replies.append(reply)
                case .post(_, let request): posts.append(request)
                case .open(let port, _, _): opened.append(port.name)
                case .status(let status):
                    statuses += 1
                    last = status
                default: break
                }
            }
        }

        mutating func handle(_ input: Fleet.Input, at seconds: Int = 0) {
            take(fleet.handle(input, now: .seconds(seconds)))
        }

        mutating func advance(to seconds: Int) { take(fleet.advance(to: .seconds(seconds))) }

        mutating func identify(_ port: SerialPortDescription, _ address: BluetoothAddress, at seconds: Int = 0) {
            let identity = ModuleIdentity(address: address, firmware: "1", applied: .none)
            handle(.said(device: port.device, .identified(identity)), at: seconds)
        }

        mutating func provision(
            _ port: SerialPortDescription, _ address: BluetoothAddress, _ minor: UInt16, at seconds: Int = 0
        ) {
            identify(port, address, at: seconds)
            let module = ProvisionedModule(
                address: address, firmware: "1", configuration: configuration(minor),
                advertisingType: .nonConnectable, isUnchanged: false)
            handle(.said(device: port.device, .provisioned(module)), at: seconds)
        }

        func condition(_ name: String) -> ModuleStatus.Condition? {
            fleet.statuses.first { $0.entry.name == name }?.condition
        }
    }

    @Test("A module that is never heard is reset ever more rarely")
    func neverHeard() {
        var building = SimulatedBuilding(
            Inventory(entries: [Self.entry("door", .address(Self.address))]),
            emulators: [RS9116Emulator(options: .init())], hasReceiver: true)
        building.deafen()
        building.run(until: .seconds(3600))
        #expect(building.events.count { if case .provisioned = $0.what { true } else { false } } < 20)
    }

    @Test("Somebody who imitates a beacon with ever new measured powers doesn't keep its module in reset")
    func imitator() {
        var bench = Bench(Self.entry("door", .address(Self.address)))
        bench.handle(.portAppeared(Self.port(0)))
        bench.provision(Self.port(0), Self.address, 1)
        bench.handle(.air(.listening))
        for round in 0..<100 {
            bench.handle(
                .air(
                    .audible(
                        .init(
                            beacon: Self.configuration(1).beacon, address: Self.address,
                            measuredPower: round % 2 == 0 ? -1 : -2, rssi: nil, count: 1))), at: round / 10)
        }
        #expect(bench.posts.count { $0 == .provisionAgain } < 3)
    }

    // 400 copies a second had been 400 log lines, and 190 retained states, a second.
    @Test(arguments: [true, false])
    func `Copies of a module are told of a few times and then at an interval, and the last of them is`(
        hasOwnAddress: Bool
    ) {
        var bench = Bench(Self.entry("door", .address(Self.address)))
        bench.handle(.portAppeared(Self.port(0)))
        bench.provision(Self.port(0), Self.address, 1)
        bench.handle(.air(.listening))
        func heard(_ number: Int, _ power: Int8 = -59) -> Fleet.Input {
            let address = hasOwnAddress ? Self.address : BluetoothAddress(bits: UInt64(number))
            return .air(
                .audible(
                    .init(
                        beacon: Self.configuration(1).beacon, address: address, measuredPower: power, rssi: nil,
                        count: 1)))
        }
        bench.statuses = 0
        // Ten a second.
        for number in 0..<600 { bench.handle(heard(number, number % 2 == 0 ? -1 : -59), at: number / 10) }
        #expect((6...13).contains(bench.statuses), "\(bench.statuses)")
        // What came last is told, though nothing comes any more.
        let told = bench.statuses
        bench.advance(to: 80)
        #expect(bench.statuses <= told + 1)
        #expect(bench.last == bench.fleet.statuses.first)
    }

    @Test("Two modules that were swapped between their adapters have their rows again")
    func swapped() {
        var bench = Bench(
            Self.entry("a", .address(Self.address)), Self.entry("b", .address(Self.other), minor: 2))
        for number in 0..<2 { bench.handle(.portAppeared(Self.port(number))) }
        bench.provision(Self.port(0), Self.address, 1)
        bench.provision(Self.port(1), Self.other, 2)
        for number in 0..<2 {
            let failure = PortFailure(ProvisioningError.silent)
            bench.handle(.linkEnded(device: "/dev/ttyUSB\(number)", failure), at: 10)
        }
        bench.advance(to: 20)
        bench.provision(Self.port(0), Self.other, 2, at: 21)
        bench.provision(Self.port(1), Self.address, 1, at: 22)
        #expect(bench.condition("a") == .unverified)
        #expect(bench.condition("b") == .unverified)
    }

    @Test("Of two adapters with one serial number the one that has the row is told of, and answers", arguments: 0..<8)
    func sameSerial(round: Int) {
        var bench = Bench(Self.entry("door", .usbSerial("0001")))
        let ports = [Self.port(round * 2, serial: "0001"), Self.port(round * 2 + 1, serial: "0001")]
        for port in ports { bench.handle(.portAppeared(port)) }
        bench.provision(ports[0], Self.address, 1)
        bench.identify(ports[1], Self.other)
        bench.handle(.linkEnded(device: ports[1].device, nil))
        #expect(bench.condition("door") == .unverified)
        bench.handle(.command(.init(.reset, module: "door", correlation: "1")))
        #expect(bench.posts.last == .provisionAgain)
        bench.provision(ports[0], Self.address, 1)
        #expect(bench.replies.map(\.succeeded) == [true])
    }

    @Test("Commands to a row that is gone are answered")
    func rowIsGone() {
        let kept = Self.entry("x", .address(Self.address), minor: 2)
        var bench = Bench(Self.entry("door", .port("/dev/ttyUSB0")), kept)
        bench.handle(.portAppeared(Self.port(0)))
        for number in 0..<10 {
            bench.handle(.command(.init(.provision, module: "door", correlation: "\(number)")))
        }
        bench.handle(.inventory(Inventory(entries: [kept])))
        #expect(bench.replies.map(\.succeeded) == Array(repeating: false, count: 10))
    }

    @Test("A port that a row names by a link is opened once, also when udev tells of it by its own name")
    func alias() {
        var bench = Bench(Self.entry("door", .port("/dev/serial0")))
        bench.handle(.portAppeared(SerialPortDescription(device: "/dev/ttyAMA0", names: ["/dev/serial0"], usb: nil)))
        bench.handle(.portAppeared(SerialPortDescription(device: "/dev/serial0", names: [], usb: nil)))
        #expect(bench.opened.count == 2)
        #expect(bench.fleet.statuses.map(\.condition) == [.provisioning])
        bench.handle(.portVanished(device: "/dev/ttyAMA0"))
        #expect(bench.fleet.statuses.map(\.condition) == [.provisioning])
    }

    @Test("A port that goes with each reset isn't unplugged by it; one that stays away is")
    func usbOfItsOwn() {
        let port = SerialPortDescription(device: "/dev/ttyACM0", names: [], usb: Self.rs9116USB)
        var bench = Bench(Self.entry("door", .address(Self.address)))
        bench.handle(.portAppeared(port))
        bench.provision(port, Self.address, 1)
        bench.handle(.command(.init(.reset, module: "door", correlation: "1")))
        bench.handle(.portVanished(device: port.device), at: 1)
        bench.handle(.portAppeared(port), at: 2)
        bench.provision(port, Self.address, 1, at: 4)
        #expect(bench.replies.map(\.succeeded) == [true])
        #expect(bench.opened.count == 1)
        bench.handle(.portVanished(device: port.device), at: 10)
        bench.advance(to: 20)
        #expect(bench.condition("door") == .absent)
    }

    @Test("A port that comes back when its dialogue has given up is tried again")
    func backTooLate() {
        let port = SerialPortDescription(device: "/dev/ttyACM0", names: [], usb: Self.rs9116USB)
        var bench = Bench(Self.entry("door", .address(Self.address)))
        bench.handle(.portAppeared(port))
        bench.provision(port, Self.address, 1)
        bench.handle(.portVanished(device: port.device), at: 1)
        let failure = PortFailure(SerialPortError.vanished(path: port.device))
        bench.handle(.linkEnded(device: port.device, failure), at: 5)
        #expect(bench.condition("door") == .absent)
        bench.handle(.portAppeared(port), at: 6)
        bench.advance(to: 10)
        #expect(bench.opened.count == 2)
    }

    @Test("A beacon that was taken out of the inventory and put back isn't heard because it was heard before")
    func staleReception() {
        let (first, second) = (Self.configuration(1).beacon, Self.configuration(2).beacon)
        var bench = Bench(Self.entry("door", .address(Self.address)))
        var watch = AdvertisingWatch([first: .appleIBeacon])
        bench.handle(.portAppeared(Self.port(0)))
        bench.provision(Self.port(0), Self.address, 1)
        for event in watch.observe(first, measuredPower: -59, address: Self.address, rssi: nil, at: .epoch) {
            bench.handle(.air(event))
        }
        #expect(bench.condition("door") == .advertising)
        for (minor, beacon) in [(UInt16(2), second), (1, first)] {
            bench.handle(.inventory(Inventory(entries: [Self.entry("door", .address(Self.address), minor: minor)])))
            for event in watch.listen(for: [beacon: .appleIBeacon]) { bench.handle(.air(event)) }
            bench.provision(Self.port(0), Self.address, minor)
        }
        #expect(bench.condition("door") == .unverified)
    }
}
