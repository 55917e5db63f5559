package import BeaconModel
import ModuleDialogues

/// Bindings of modules to the `any` rows of the inventory. They belong in the gateway's state directory. A file beside
/// the inventory, from before there was a gateway, supplies the bindings that the gateway does not have. Pure.
package struct ModuleBindings: Equatable {
    package private(set) var all: [BluetoothAddress: String]
    /// Bindings taken over from the file beside the inventory.
    package private(set) var adopted: [BluetoothAddress: String] = [:]
    /// Bindings in the file beside the inventory that contradict the gateway's own, which take precedence.
    package private(set) var contradicted: [BluetoothAddress: String] = [:]

    package init(_ own: [BluetoothAddress: String], beside other: [BluetoothAddress: String] = [:]) {
        all = own
        let taken = Set(own.values)
        for (address, name) in other.sorted(by: { $0.key < $1.key }) where own[address] != name {
            if own[address] != nil || taken.contains(name) {
                contradicted[address] = name
            } else {
                all[address] = name
                adopted[address] = name
            }
        }
    }
}
