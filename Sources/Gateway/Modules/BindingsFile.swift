import BeaconModel
import MQTTBridge
import SystemIO

/// Which module took which entry for "any" module, so that it keeps it: `{"88:DA:1A:E8:06:6F":"door"}`.
struct BindingsFile: Sendable {
    var path: String

    /// Nothing where there is no file.
    ///
    /// - Throws: `DamagedBindings` or `SystemError`.
    func read() throws -> [BluetoothAddress: String] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: 1024 * 1024)
        } catch {
            guard error.isNotFound else { throw error }
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

    func write(_ bindings: [BluetoothAddress: String]) throws(SystemError) {
        let names = Dictionary(uniqueKeysWithValues: bindings.map { ($0.key.description, $0.value) })
        try FileContents.replace(path, with: JSON.encode(names) + [UInt8(ascii: "\n")])
    }
}

/// The file can't be read, and guessing would give modules each other's identities.
struct DamagedBindings: OperatorError {
    var path: String

    var what: String { "\(path) is damaged" }
    var meaning: String? { "it isn't known which module has which \"any\" row of the inventory" }
    var remedy: String? { "restore it, or delete it: each \"any\" row then goes to the first module that comes" }
    var exitStatus: ExitStatus { .data }
}
