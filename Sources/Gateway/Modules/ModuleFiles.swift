import BeaconModel
import SystemIO
import UARTConfig

/// An inventory file, and what is kept beside it by whoever applies it from the command line.
struct ModuleFiles: Sendable {
    var inventory: Inventory
    var bindings: BindingsFile
    var audit: AuditLog

    /// - Parameter state: where the other files are kept; `nil` for beside the inventory.
    /// - Throws: `InventoryError` or `SystemError`.
    init(inventory path: String, state: String?, actor: String) throws {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: Inventory.longestFile + 1)
        } catch {
            throw UnreadableInventory(error: error)
        }
        inventory = try Inventory.parse(bytes, path: path)
        if let state {
            bindings = BindingsFile(path: state + "/modules.json")
            audit = AuditLog(path: state + "/audit.jsonl", actor: actor)
        } else {
            bindings = BindingsFile(path: path + ".modules.json")
            audit = AuditLog(path: path + ".audit.jsonl", actor: actor)
        }
    }

    /// What marks stand for, as far as anybody here has ever applied it.
    var knownConfigurations: [ConfigurationMark: BeaconConfiguration] {
        let all = audit.entries().compactMap { $0.after?.configuration } + inventory.entries.map(\.configuration)
        return Dictionary(all.map { (ConfigurationMark($0), $0) }, uniquingKeysWith: { $1 })
    }
}

/// The inventory file itself can't be read.
struct UnreadableInventory: OperatorError {
    var error: SystemError

    var what: String { error.what }
    var remedy: String? { "give the path of a .toml or .csv file with --inventory; README.md shows one" }
    var exitStatus: ExitStatus { .configuration }
}

/// Which ports to look at.
enum ModulePorts {
    /// - Parameter names: those that a person named; without any, all ports that may have a module of the inventory.
    static func choose(_ names: [String], _ assignment: ModuleAssignment) throws(SystemError) -> [SerialPortDescription]
    {
        let all = try SerialPorts.all()
        guard names.isEmpty else {
            return names.map { name in
                all.first { $0.isCalled(name) } ?? SerialPortDescription(device: name, names: [], usb: nil)
            }
        }
        let outside = FleetService.portsOutsideUdev(assignment.inventory)
        return all.filter { assignment.isOfInterest($0) } + outside
    }
}
