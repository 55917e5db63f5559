package import BeaconModel
import ModuleDialogues

/// Which module has which row for any module. A gateway's state directory is the place for it; a file beside the
/// inventory, from before there was a gateway, fills in what the gateway doesn't know. Pure.
package struct ModuleBindings: Equatable {
    package private(set) var all: [BluetoothAddress: String]
    /// What was taken over from beside the inventory.
    package private(set) var adopted: [BluetoothAddress: String] = [:]
    /// What the file beside the inventory says otherwise than the gateway, which knows better.
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
