package import BeaconModel
package import ModuleDialogues

/// A module that was found on a serial port.
package struct FoundModule: Equatable, Sendable {
    /// Name of the port: a stable one, if there is one.
    package var port: String
    package var address: BluetoothAddress
    package var kind: ModuleKind
    package var firmware: String
    /// What it advertises, in words.
    package var state: String
    /// Name of its row in the present inventory.
    package var row: String?
    /// What it advertises, or did; `nil`: it does not tell.
    package var beacon: BeaconID?

    package init(
        port: String, address: BluetoothAddress, kind: ModuleKind, firmware: String, state: String, row: String? = nil,
        beacon: BeaconID? = nil
    ) {
        self.port = port
        self.address = address
        self.kind = kind
        self.firmware = firmware
        self.state = state
        self.row = row
        self.beacon = beacon
    }
}

/// A row that is proposed for a module.
package struct ProposedModule: Equatable, Sendable {
    package var name: String
    package var module: FoundModule
    package var beacon: BeaconID

    package init(name: String, module: FoundModule, beacon: BeaconID) {
        self.name = name
        self.module = module
        self.beacon = beacon
    }
}

/// Beacons for new modules.
package enum ModuleNumbering {
    /// Returns a row for each module, with minor numbers from `minor` on that no row has.
    ///
    /// - Returns: fewer rows than modules if the numbers do not suffice.
    package static func propose(
        _ modules: [FoundModule], uuid: ProximityUUID, major: UInt16, minor: UInt16, beside inventory: Inventory
    ) -> [ProposedModule] {
        let beacons = Set(inventory.entries.map(\.configuration.beacon))
        var names = Set(inventory.entries.map(\.name))
        var next = Int(minor)
        var rows: [ProposedModule] = []
        for module in modules {
            while next <= Int(UInt16.max),
                beacons.contains(BeaconID(uuid: uuid, major: major, minor: UInt16(clamping: next)))
            {
                next += 1
            }
            guard next <= Int(UInt16.max) else { break }
            let beacon = BeaconID(uuid: uuid, major: major, minor: UInt16(clamping: next))
            var name = "beacon-\(major)-\(next)"
            var suffix = 2
            while names.contains(name) {
                name = "beacon-\(major)-\(next)-\(suffix)"
                suffix += 1
            }
            names.insert(name)
            rows.append(ProposedModule(name: name, module: module, beacon: beacon))
            next += 1
        }
        return rows
    }
}
