import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct ModuleAssignmentTests {
    private static func entry(_ name: String, _ module: ModuleSelector, _ kind: ModuleKind = .rs9116) -> InventoryEntry
    {
        InventoryEntry(
            name: name, module: module, kind: kind,
            configuration: .init(
                beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1), measuredPower: -59))
    }

    private static func port(_ number: Int, serial: String? = nil, id: (UInt16, UInt16) = (0x0403, 0x6001))
        -> SerialPortDescription
    {
        SerialPortDescription(
            device: "/dev/ttyUSB\(number)", names: ["/dev/serial/by-id/usb-\(number)"],
            usb: USBIdentity(vendor: id.0, product: id.1, serial: serial, text: nil))
    }

    private static let first = BluetoothAddress(bits: 1)
    private static let second = BluetoothAddress(bits: 2)

    @Test("An address outranks a port, and a port outranks any")
    func ranks() {
        var assignment = ModuleAssignment(
            inventory: Inventory(entries: [
                Self.entry("any", .anyNew), Self.entry("port", .port("/dev/serial/by-id/usb-1")),
                Self.entry("address", .address(Self.first)),
            ]))
        #expect(assignment.assign(Self.first, kind: .rs9116, on: Self.port(1))?.name == "address")
        #expect(assignment.assign(Self.second, kind: .rs9116, on: Self.port(2))?.name == "any")
        #expect(assignment.assign(BluetoothAddress(bits: 3), kind: .rs9116, on: Self.port(3)) == nil)
        assignment.release(Self.port(1))
        #expect(assignment.assign(BluetoothAddress(bits: 4), kind: .rs9116, on: Self.port(1))?.name == "port")
    }

    @Test("A row for any module stays with the module that took it first, across restarts")
    func bindings() {
        let inventory = Inventory(entries: [Self.entry("a", .anyNew), Self.entry("b", .anyNew)])
        var assignment = ModuleAssignment(inventory: inventory)
        _ = assignment.assign(Self.first, kind: .rs9116, on: Self.port(1))
        #expect(assignment.bindings == [Self.first: "a"])
        var later = ModuleAssignment(inventory: inventory, bindings: assignment.bindings)
        #expect(later.assign(Self.second, kind: .rs9116, on: Self.port(1))?.name == "b")
        #expect(later.assign(Self.first, kind: .rs9116, on: Self.port(2))?.name == "a")
    }

    @Test("A module whose row is gone gets no other by itself, and has it again when the row comes back")
    func replaced() {
        let inventory = Inventory(entries: [Self.entry("a", .anyNew)])
        var assignment = ModuleAssignment(inventory: inventory, bindings: [Self.first: "a"])
        assignment.replace(Inventory(entries: [Self.entry("b", .anyNew)]))
        #expect(assignment.assign(Self.first, kind: .rs9116, on: Self.port(1)) == nil)
        #expect(assignment.lostEntry(of: Self.first) == "a")
        #expect(assignment.lostEntry(of: Self.second) == nil)
        #expect(assignment.assign(Self.second, kind: .rs9116, on: Self.port(2))?.name == "b")
        assignment.replace(inventory)
        #expect(assignment.assign(Self.first, kind: .rs9116, on: Self.port(1))?.name == "a")
    }

    @Test("A row that was taken away from its module goes to another")
    func unbound() {
        var assignment = ModuleAssignment(
            inventory: Inventory(entries: [Self.entry("b", .anyNew)]), bindings: [Self.first: "a"])
        assignment.unbind("a")
        #expect(assignment.assign(Self.first, kind: .rs9116, on: Self.port(1))?.name == "b")
    }

    @Test("A module that still holds what a row asks for takes that row, although nobody knows it")
    func remembered() {
        var hall = Self.entry("hall", .anyNew)
        hall.configuration.beacon.minor = 2
        let inventory = Inventory(entries: [Self.entry("door", .anyNew), hall])
        let held: [AppliedConfiguration] = [
            .marked(ConfigurationFingerprint(hall.configuration)),
            .stopped(ConfigurationFingerprint(hall.configuration)),
            .readBack(hall.configuration),
        ]
        for applied in held {
            var assignment = ModuleAssignment(inventory: inventory)
            #expect(assignment.remembersEntry(applied))
            let entry = assignment.assign(Self.first, kind: .rs9116, on: Self.port(1), applied: applied)
            #expect(entry?.name == "hall", "\(applied)")
        }
        var assignment = ModuleAssignment(inventory: inventory)
        #expect(assignment.assign(Self.first, kind: .rs9116, on: Self.port(1), applied: .unknown)?.name == "door")
    }

    @Test("A module gets no row of another kind")
    func kinds() {
        var assignment = ModuleAssignment(inventory: Inventory(entries: [Self.entry("a", .anyNew, .hm10)]))
        #expect(assignment.kinds(on: Self.port(1)) == [.hm10])
        #expect(assignment.assign(Self.first, kind: .rs9116, on: Self.port(1)) == nil)
        #expect(assignment.assign(Self.first, kind: .hm10, on: Self.port(1))?.name == "a")
    }

    @Test("Only ports of modules' USB interfaces are spoken to, and those that a row names")
    func interest() {
        let assignment = ModuleAssignment(
            inventory: Inventory(entries: [
                Self.entry("a", .anyNew), Self.entry("b", .usbSerial("X7")), Self.entry("c", .port("/dev/ttyUSB9")),
            ]))
        #expect(assignment.isOfInterest(Self.port(1)))
        #expect(!assignment.isOfInterest(Self.port(1, id: (0x1546, 0x01A8))))
        #expect(assignment.isOfInterest(Self.port(1, serial: "X7", id: (0x1546, 0x01A8))))
        #expect(assignment.isOfInterest(SerialPortDescription(device: "/dev/ttyUSB9", names: [], usb: nil)))
        #expect(!ModuleAssignment(inventory: Inventory()).isOfInterest(Self.port(1)))
    }
}
