package import BeaconModel
package import GatewayCore
package import ModuleDialogues
import RecordContract
import SystemIO

/// The file with the bindings of modules to the `any` rows of the inventory: `{"88:DA:1A:E8:06:6F":"door"}`.
package struct BindingsFile: Equatable, Sendable {
    package var path: String

    /// Returns the file of a gateway with this state directory.
    package static func ofGateway(_ stateDirectory: String) -> BindingsFile {
        BindingsFile(path: stateDirectory + "/modules.json")
    }

    /// Returns the file for an inventory that is applied on a machine without a gateway.
    package static func beside(_ inventoryPath: String) -> BindingsFile {
        BindingsFile(path: inventoryPath + ".modules.json")
    }

    /// Reads the bindings; none where there is no file.
    ///
    /// - Throws: `DamagedBindings` or `UnreadableBindings`.
    package func read() throws -> [BluetoothAddress: String] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: 1024 * 1024)
        } catch {
            guard error.isNotFound else { throw UnreadableBindings(path: path, error: error) }
            return [:]
        }
        guard let names = try? JSON.decode([String: String].self, from: bytes) else {
            throw DamagedBindings(path: path)
        }
        var bindings: [BluetoothAddress: String] = [:]
        for (text, name) in names {
            guard let address = BluetoothAddress(text) else { throw DamagedBindings(path: path) }
            bindings[address] = name
        }
        return bindings
    }

    package func write(_ bindings: [BluetoothAddress: String]) throws(SystemError) {
        let names = Dictionary(uniqueKeysWithValues: bindings.map { ($0.key.description, $0.value) })
        try FileContents.replace(path, with: JSON.encode(names) + [UInt8(ascii: "\n")])
    }
}

/// The file is damaged. Guessing would give modules each other's identities.
package struct DamagedBindings: OperatorError {
    package var path: String

    package var what: String { "\(path) is damaged" }
    package var meaning: String? { "the bindings of modules to \"any\" rows of the inventory are unknown" }
    package var remedy: String? {
        "restore it, or delete it: each \"any\" row then goes to the next module that is found"
    }
    package var exitStatus: ExitStatus { .data }
}

/// The file exists, but this user cannot read it.
struct UnreadableBindings: OperatorError {
    var path: String
    var error: SystemError

    var what: String { error.what }
    var meaning: String? { "the bindings of modules to \"any\" rows of the inventory are unknown" }
    var remedy: String? { "make it readable for this user: chmod a+r \(path)" }
    var exitStatus: ExitStatus { .permission }
}

extension ModuleBindings {
    /// Reads the gateway's file. Also reads the file beside the inventory if there are `any` rows without a known
    /// module.
    ///
    /// - Throws: `DamagedBindings` or `UnreadableBindings`.
    package static func read(_ own: BindingsFile, beside other: BindingsFile?, for inventory: Inventory) throws
        -> ModuleBindings
    {
        let known = try own.read()
        let bound = Set(known.values)
        let isComplete = !inventory.entries.contains { $0.module == .anyNew && !bound.contains($0.name) }
        return ModuleBindings(known, beside: isComplete ? [:] : try other?.read() ?? [:])
    }
}
