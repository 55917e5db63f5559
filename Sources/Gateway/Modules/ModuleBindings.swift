import BeaconModel
import ModuleDialogues

/// Which module has which row for any module. A gateway's state directory is the place for it; a file beside the
/// inventory, from before there was a gateway, fills in what the gateway doesn't know. Pure.
struct ModuleBindings: Equatable {
    private(set) var all: [BluetoothAddress: String]
    /// What was taken over from beside the inventory.
    private(set) var adopted: [BluetoothAddress: String] = [:]
    /// What the file beside the inventory says otherwise than the gateway, which knows better.
    private(set) var contradicted: [BluetoothAddress: String] = [:]

    init(_ own: [BluetoothAddress: String], beside other: [BluetoothAddress: String] = [:]) {
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

    /// Reads the gateway's file, and the one beside the inventory when rows are left for which no module is known.
    ///
    /// - Throws: `DamagedBindings` or `UnreadableBindings`.
    static func read(_ own: BindingsFile, beside other: BindingsFile?, for inventory: Inventory) throws
        -> ModuleBindings
    {
        let known = try own.read()
        let bound = Set(known.values)
        let isComplete = !inventory.entries.contains { $0.module == .anyNew && !bound.contains($0.name) }
        return ModuleBindings(known, beside: isComplete ? [:] : try other?.read() ?? [:])
    }
}
