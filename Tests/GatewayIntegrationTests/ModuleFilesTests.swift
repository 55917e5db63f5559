import BeaconModel
import TestSupport
import Testing
import UARTConfig

@testable import Gateway

@Suite struct ModuleFilesTests {
    private static let configuration = BeaconConfiguration(
        beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 2, minor: 3), measuredPower: -59, transmitPower: 4)

    @Test("What goes into the audit log comes out of it, and a damaged line harms no other")
    func audit() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("audit.jsonl", "garbage\n")
        let log = AuditLog(path: path, actor: "eva")
        let event = Fleet.Event(
            module: "door", port: "/dev/ttyUSB0", address: BluetoothAddress(bits: 5),
            what: .provisioned(Self.configuration, before: nil))
        try log.add(event, at: .epoch)
        try log.add(Fleet.Event(module: "door", port: nil, address: nil, what: .failed("no power")), at: .epoch)
        let entries = log.entries()
        #expect(entries.map(\.action) == ["provisioned", "failed"])
        #expect(entries.first?.who == "eva")
        #expect(entries.first?.after?.configuration == Self.configuration)
        #expect(entries.last?.reason == "no power")
    }

    @Test("Marks of what was ever applied, and of the inventory, are known")
    func marks() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "i.csv", "name,module,uuid,major,minor\ndoor,any,00000000-0000-0000-0000-000000000001,7,8\n")
        let files = try ModuleFiles(inventory: path, state: nil, actor: "eva")
        try files.audit.add(
            Fleet.Event(
                module: "door", port: nil, address: nil, what: .provisioned(Self.configuration, before: nil)),
            at: .epoch)
        #expect(files.knownConfigurations[ConfigurationMark(Self.configuration)] == Self.configuration)
        #expect(files.knownConfigurations.count == 2)
        #expect(files.audit.path == path + ".audit.jsonl")
    }

    @Test("Which module is which survives, and a damaged file is refused rather than guessed at")
    func bindings() throws {
        let directory = try TemporaryDirectory()
        let file = BindingsFile(path: directory.path + "/modules.json")
        #expect(try file.read() == [:])
        try file.write([BluetoothAddress(bits: 0x88DA_1AE8_066F): "door"])
        #expect(try file.read() == [BluetoothAddress(bits: 0x88DA_1AE8_066F): "door"])
        for text in ["{", #"{"nonsense":"door"}"#, "[]"] {
            _ = try directory.write("modules.json", text)
            #expect(throws: DamagedBindings.self) { _ = try file.read() }
        }
    }
}
