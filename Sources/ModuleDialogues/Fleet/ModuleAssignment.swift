public import BeaconModel

/// Which module of an inventory is which: pure, and the same for a daemon and for a person who applies an inventory.
public struct ModuleAssignment: Equatable, Sendable {
    public private(set) var inventory: Inventory
    /// Modules that took an entry for "any" module, by address; they keep it.
    public private(set) var bindings: [BluetoothAddress: String]
    /// The entries that are taken, and by which port.
    private var takenBy: [String: String] = [:]

    public init(inventory: Inventory, bindings: [BluetoothAddress: String] = [:]) {
        self.inventory = inventory
        self.bindings = bindings
    }

    public func entry(named name: String) -> InventoryEntry? { inventory.entries.first { $0.name == name } }

    /// Whether there may be a module of the inventory on this port, so that it may be spoken to.
    public func isOfInterest(_ port: SerialPortDescription) -> Bool {
        if let usb = port.usb, USBIdentity.ofModules.contains(usb.id), !inventory.entries.isEmpty { return true }
        return entry(for: port) != nil
    }

    /// What a port is for, as far as that can be known before its module has answered.
    public func entry(for port: SerialPortDescription) -> InventoryEntry? {
        inventory.entries.first { entry in
            switch entry.module {
            case .port(let name): port.isCalled(name)
            case .usbSerial(let serial): port.usb?.serial == serial
            case .address, .anyNew: false
            }
        }
    }

    /// The kinds of module that may be on a port, the likeliest first.
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

    /// Finds what the module at `address` on `port` must advertise, and reserves it.
    ///
    /// - Parameter applied: what the module says it was provisioned with.
    /// - Returns: `nil` when the inventory has nothing for it.
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

    /// What `assign` would find, without reserving it.
    public func choose(
        _ address: BluetoothAddress, _ kind: ModuleKind, _ port: SerialPortDescription,
        applied: AppliedConfiguration? = nil
    ) -> InventoryEntry? {
        let free = inventory.entries.filter { entry in
            entry.kind == kind && (takenBy[entry.name] == nil || takenBy[entry.name] == port.device)
        }
        // There is no other with this address: whoever has the row isn't there any more.
        let own = inventory.entries.first { $0.kind == kind && $0.module == .address(address) }
        if let own { return own }
        if let wanted = entry(for: port), free.contains(wanted) { return wanted }
        // An entry for any module stays with the module that has it, and the module with the entry: a module that is
        // known never moves to another room by itself.
        if let name = bindings[address] { return free.first { $0.name == name && $0.module == .anyNew } }
        let bound = Set(bindings.values)
        let unbound = free.filter { $0.module == .anyNew && !bound.contains($0.name) }
        return unbound.first { applied?.remembers($0.configuration) == true } ?? unbound.first
    }

    /// Whether a module still holds what an entry for any module asks for, so that it comes before modules that don't.
    public func remembersEntry(_ applied: AppliedConfiguration) -> Bool {
        inventory.entries.contains { $0.module == .anyNew && applied.remembers($0.configuration) }
    }

    /// The name of the entry for any module that a module is bound to and the inventory no longer has.
    public func lostEntry(of address: BluetoothAddress) -> String? {
        guard let name = bindings[address], entry(named: name)?.module != .anyNew else { return nil }
        return name
    }

    /// The port isn't there any more; what it had is free again.
    public mutating func release(_ port: SerialPortDescription) {
        for (name, device) in takenBy where device == port.device { takenBy[name] = nil }
    }

    /// Gives up what an entry for any module was bound to, so that another module can take it.
    public mutating func unbind(_ name: String) { bindings = bindings.filter { $0.value != name } }

    /// Takes another inventory. Bindings to entries that it lacks are kept: an entry that was lost by mistake, and comes
    /// back, goes to the module that had it.
    public mutating func replace(_ inventory: Inventory) { self.inventory = inventory }
}
