import BeaconModel
import Glibc
import ModuleDialogues
import SystemIO
import TestSupport
import Testing

@testable import GatewayDaemon

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
        let files = try ModuleFiles(
            inventory: path, state: nil, actor: "eva", standardState: directory.path + "/none")
        try files.audit.add(
            Fleet.Event(
                module: "door", port: nil, address: nil, what: .provisioned(Self.configuration, before: nil)),
            at: .epoch)
        #expect(files.knownConfigurations[ConfigurationFingerprint(Self.configuration)] == Self.configuration)
        #expect(files.knownConfigurations.count == 2)
        #expect(files.audit.path == path + ".audit.jsonl")
        #expect(files.bindings == .beside(path))
    }

    @Test("On a gateway's machine its state directory has the files, and what is beside the inventory is known too")
    func ofGateway() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "i.csv", "name,module,uuid,major,minor\ndoor,any,00000000-0000-0000-0000-000000000001,7,8\n")
        try BindingsFile.beside(path).write([BluetoothAddress(bits: 5): "door"])
        let files = try ModuleFiles(inventory: path, state: nil, actor: "eva", standardState: directory.path)
        #expect(files.bindings == BindingsFile(path: directory.path + "/modules.json"))
        #expect(files.audit.path == directory.path + "/audit.jsonl")
        #expect(try files.knownBindings() == [BluetoothAddress(bits: 5): "door"])
    }

    @Test("A file beside the inventory that can't be used matters only while a row has no module")
    func damagedBeside() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "i.csv", "name,module,uuid,major,minor\ndoor,any,00000000-0000-0000-0000-000000000001,7,8\n")
        _ = try directory.write("i.csv.modules.json", "{")
        let files = try ModuleFiles(inventory: path, state: directory.path, actor: "eva")
        #expect(throws: DamagedBindings.self) { _ = try files.knownBindings() }
        try files.bindings.write([BluetoothAddress(bits: 5): "door"])
        #expect(try files.knownBindings() == [BluetoothAddress(bits: 5): "door"])
    }

    @Test("A file that root makes belongs to the owner of its directory, so that the service can go on writing it")
    func owner() throws {
        guard geteuid() == 0 else { return }
        let directory = try TemporaryDirectory()
        #expect(chown(directory.path, 65_534, 65_534) == 0)
        let bindings = BindingsFile(path: directory.path + "/modules.json")
        try bindings.write([:])
        try FileContents.append([], to: directory.path + "/audit.jsonl", limit: 100)
        try StateDirectory(path: directory.path).lock()
        for name in ["modules.json", "audit.jsonl", "lock"] {
            var status = stat()
            #expect(stat(directory.path + "/" + name, &status) == 0)
            #expect(status.st_uid == 65_534, "\(name)")
        }
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
