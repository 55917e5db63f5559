import BeaconModel

/// The beacons that are heard now, by identity and address.
struct FleetReceptions: Sendable {
    private var all: [BeaconID: [BluetoothAddress: AdvertisingWatch.Reception]] = [:]
    /// Whether anything can be heard at all.
    private(set) var isListening = false

    mutating func begin() { isListening = true }

    mutating func end() {
        isListening = false
        all.removeAll()
    }

    mutating func add(_ reception: AdvertisingWatch.Reception) {
        all[reception.beacon, default: [:]][reception.address] = reception
    }

    mutating func remove(_ beacon: BeaconID, _ address: BluetoothAddress) { all[beacon]?[address] = nil }

    /// Discards the receptions of a module. Earlier receptions do not prove that the module is heard after it has
    /// restarted.
    mutating func forget(_ address: BluetoothAddress?) {
        guard let address else { return }
        for beacon in all.keys { all[beacon]?[address] = nil }
    }

    mutating func keep(_ beacons: Set<BeaconID>) { all = all.filter { beacons.contains($0.key) } }

    /// Whether the beacon is heard already, and in the same way.
    func has(_ reception: AdvertisingWatch.Reception) -> Bool {
        all[reception.beacon]?[reception.address]?.measuredPower == reception.measuredPower
    }

    /// Returns the reception of a module's beacon, whatever its measured power.
    func any(of module: ProvisionedModule) -> AdvertisingWatch.Reception? {
        all[module.configuration.beacon]?[module.address]
    }

    /// Returns the reception of a module's beacon, if it is as it should be.
    func right(of module: ProvisionedModule) -> AdvertisingWatch.Reception? {
        any(of: module).flatMap { $0.measuredPower == module.configuration.measuredPower ? $0 : nil }
    }

    /// Returns the addresses of other devices that advertise a module's identity.
    func duplicates(of module: ProvisionedModule) -> [BluetoothAddress] {
        (all[module.configuration.beacon] ?? [:]).keys.filter { $0 != module.address }.sorted()
    }
}
