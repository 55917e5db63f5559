package import BeaconModel
package import GatewayCore
import Glibc
package import ModuleDialogues
import SystemIO
import UARTConfig

/// The modules that a command operates on, with the files of their bindings and their audit log.
package struct ModuleFiles: Sendable {
    package var inventory: Inventory
    /// Path of the file that lists the modules, as the user gave it.
    package var source: String
    package var bindings: BindingsFile
    /// Bindings left beside the inventory by an earlier version, or by a machine without a gateway.
    var bindingsBeside: BindingsFile?
    package var audit: AuditLog
    /// State directory of the gateway that owns the files; `nil` if they are beside the inventory.
    package var stateDirectory: String?
    /// Paths at which the running gateway's local socket can be.
    package var localSockets: [String]
    /// Profile of RS9116 modules in the gateway's configuration.
    package var profile = RS9116Profile()

    /// - Parameters:
    ///   - path: an inventory file.
    ///   - state: a gateway's state directory; `nil` for the standard one or, where there is none, for files beside the
    ///     inventory.
    /// - Throws: `InventoryError` or `UnreadableInventory`.
    package init(
        inventory path: String, state: String?, actor: String,
        standardState: String = Configuration.defaultStateDirectory
    ) throws {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: Inventory.longestFile + 1)
        } catch {
            throw UnreadableInventory(error: error)
        }
        inventory = try Inventory.parse(bytes, path: path)
        source = path
        let directory = state ?? (access(standardState, F_OK) == 0 ? standardState : nil)
        stateDirectory = directory
        localSockets = LocalSocketSetting.automatic.paths(stateDirectory: directory ?? standardState)
        if let directory {
            bindings = .ofGateway(directory)
            bindingsBeside = .beside(path)
            audit = AuditLog(path: directory + "/audit.jsonl", actor: actor)
        } else {
            bindings = .beside(path)
            audit = AuditLog(path: path + ".audit.jsonl", actor: actor)
        }
    }

    /// Creates the files of a gateway from its configuration.
    package init(_ configuration: Configuration, path: String, actor: String) {
        inventory = configuration.inventory
        source = path
        bindings = .ofGateway(configuration.stateDirectory)
        bindingsBeside = configuration.inventoryFile.map { .beside($0) }
        audit = AuditLog(path: configuration.stateDirectory + "/audit.jsonl", actor: actor)
        stateDirectory = configuration.stateDirectory
        localSockets = configuration.localSocket.paths(stateDirectory: configuration.stateDirectory)
        profile = configuration.moduleProfile
    }

    /// Returns the bindings decided so far.
    ///
    /// - Throws: `DamagedBindings`, `UnreadableBindings`, or `LaterState`.
    package func knownBindings() throws -> [BluetoothAddress: String] {
        if let stateDirectory { try StateDirectory(path: stateDirectory).checkFormat() }
        return try ModuleBindings.read(bindings, beside: bindingsBeside, for: inventory).all
    }

    /// Configurations by fingerprint: those in the audit log and those of the inventory.
    package var knownConfigurations: [ConfigurationFingerprint: BeaconConfiguration] {
        let all = audit.entries().compactMap { $0.after?.configuration } + inventory.entries.map(\.configuration)
        return Dictionary(all.map { (ConfigurationFingerprint($0), $0) }, uniquingKeysWith: { $1 })
    }
}

/// The inventory file itself cannot be read.
struct UnreadableInventory: OperatorError {
    var error: SystemError

    var what: String { error.what }
    var remedy: String? { "specify a .toml or .csv file with --inventory; docs/guide/modules.md shows one" }
    var exitStatus: ExitStatus { .configuration }
}

/// Selection of serial ports.
package enum ModulePorts {
    /// - Parameter names: the ports that the user named; if there are none, all ports that may have a module of the
    ///   inventory are chosen.
    package static func choose(_ names: [String], _ assignment: ModuleAssignment) throws(SystemError)
        -> [SerialPortDescription]
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

    /// Returns the row that designates the module on a port, by the port or by its adapter's serial number, whichever
    /// of the port's names is given.
    package static func entry(on name: String, _ inventory: Inventory) throws(SystemError) -> InventoryEntry? {
        let assignment = ModuleAssignment(inventory: inventory)
        let found = try choose([name], assignment).first.flatMap { assignment.entry(for: $0) }
        let device = SystemFiles.real(name)
        return found
            ?? inventory.entries.first { entry in
                guard case .port(let path) = entry.module else { return false }
                return SystemFiles.real(path) == device
            }
    }
}
