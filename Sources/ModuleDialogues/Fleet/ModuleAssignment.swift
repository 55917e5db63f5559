public import BeaconModel

/// Assigns modules to the entries of an inventory. Pure; used both by the daemon and by a person who applies an
/// inventory.
public struct ModuleAssignment: Equatable, Sendable {
    /// The inventory whose entries are assigned.
    public private(set) var inventory: Inventory
    /// Entries for "any" module that modules have taken, by the module's address. Modules keep them.
    public private(set) var bindings: [BluetoothAddress: String]
    /// Devices of the ports whose modules hold an entry, by the entry's name.
    private var takenBy: [String: String] = [:]

    /// Creates an assignment from an inventory and the entries' names by module address.
    public init(inventory: Inventory, bindings: [BluetoothAddress: String] = [:]) {
        self.inventory = inventory
        self.bindings = bindings
    }

    /// Returns the entry with the given name.
    public func entry(named name: String) -> InventoryEntry? { inventory.entries.first { $0.name == name } }

    /// Whether the port may hold a module of the inventory, so that the gateway may send on it.
    public func isOfInterest(_ port: SerialPortDescription) -> Bool {
        if let usb = port.usb, USBIdentity.ofModules.contains(usb.id), !inventory.entries.isEmpty { return true }
        return entry(for: port) != nil
    }

    /// Returns the entry for a port, as far as it can be known before the module has answered.
    public func entry(for port: SerialPortDescription) -> InventoryEntry? {
        inventory.entries.first { entry in
            switch entry.module {
            case .port(let name): port.isCalled(name)
            case .usbSerial(let serial): port.usb?.serial == serial
            case .address, .anyNew: false
            }
        }
    }

    /// Returns the kinds of module that may be on a port, the likeliest first.
    public func kinds(on port: SerialPortDescription) -> [ModuleKind] {
        if let entry = entry(for: port) { return [entry.kind] }
        let possible = inventory.entries.filter { entry in
            switch entry.module {
            case .address, .anyNew: true
            case .port, .usbSerial: false
            }
        }.map(\.kind)
        let kinds = ModuleKind.allCases.filter { possible.contains($0) }
        return kinds.isEmpty ? [.rs9116] : kinds
    }

    /// Finds the entry for the module at `address` on `port`, and reserves it.
    ///
    /// - Parameter applied: the configuration that the module reports it was provisioned with.
    /// - Returns: `nil` when the inventory has no entry for the module.
    public mutating func assign(
        _ address: BluetoothAddress, kind: ModuleKind, on port: SerialPortDescription,
        applied: AppliedConfiguration? = nil
    ) -> InventoryEntry? {
        release(port)
        guard let entry = choose(address, kind, port, applied: applied) else { return nil }
        if entry.module == .anyNew { bindings[address] = entry.name }
        takenBy[entry.name] = port.device
        return entry
    }

    /// Returns the entry that `assign` would find, without reserving it.
    public func choose(
        _ address: BluetoothAddress, _ kind: ModuleKind, _ port: SerialPortDescription,
        applied: AppliedConfiguration? = nil
    ) -> InventoryEntry? {
        let free = inventory.entries.filter { entry in
            entry.kind == kind && (takenBy[entry.name] == nil || takenBy[entry.name] == port.device)
        }
        // Addresses are unique: a port that still holds this entry no longer has the module.
        let own = inventory.entries.first { $0.kind == kind && $0.module == .address(address) }
        if let own { return own }
        if let wanted = entry(for: port), free.contains(wanted) { return wanted }
        // An entry for any module stays with its module, and the module with the entry. A known module never moves to
        // another room by itself.
        if let name = bindings[address] { return free.first { $0.name == name && $0.module == .anyNew } }
        let bound = Set(bindings.values)
        let unbound = free.filter { $0.module == .anyNew && !bound.contains($0.name) }
        return unbound.first { applied?.remembers($0.configuration) == true } ?? unbound.first
    }

    /// Whether a module still holds the configuration of an entry for any module. Such modules are assigned before
    /// others.
    public func remembersEntry(_ applied: AppliedConfiguration) -> Bool {
        inventory.entries.contains { $0.module == .anyNew && applied.remembers($0.configuration) }
    }

    /// Returns the name of the entry for any module that the module is bound to and the inventory no longer has.
    public func lostEntry(of address: BluetoothAddress) -> String? {
        guard let name = bindings[address], entry(named: name)?.module != .anyNew else { return nil }
        return name
    }

    /// Releases the entry held by a port that is no longer present.
    public mutating func release(_ port: SerialPortDescription) {
        for (name, device) in takenBy where device == port.device { takenBy[name] = nil }
    }

    /// Removes the binding of an entry for any module, so that another module can take it.
    public mutating func unbind(_ name: String) { bindings = bindings.filter { $0.value != name } }

    /// Replaces the inventory. Bindings to entries that it lacks are kept: an entry that was removed by mistake and
    /// comes back goes to the module that had it.
    public mutating func replace(_ inventory: Inventory) { self.inventory = inventory }
}
