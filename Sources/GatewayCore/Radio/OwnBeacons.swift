import BeaconModel
import ModuleDialogues

/// The modules of this gateway: what they advertise, from where, and when one was last unplugged. Pure.
struct OwnBeacons: Sendable {
    /// Advertising intervals of the beacons.
    private(set) var intervals: [BeaconID: AdvertisingInterval] = [:]
    private(set) var modules: [BeaconID: OwnModule] = [:]
    /// Whether each module that has reported is absent, by name.
    private var absences: [String: Bool] = [:]
    /// Time at which a module was last unplugged, on the monotonic clock.
    private var vanishedAt: Duration?

    var beacons: Set<BeaconID> { Set(intervals.keys) }

    /// Sets the beacons of an inventory. Addresses that are known stay known.
    mutating func set(_ inventory: Inventory) {
        let entries = inventory.entries
        intervals = Dictionary(
            entries.map { ($0.configuration.beacon, $0.configuration.interval) }, uniquingKeysWith: { $1 })
        modules = Dictionary(
            entries.map { entry in
                let beacon = entry.configuration.beacon
                return (
                    beacon,
                    OwnModule(measuredPower: entry.configuration.measuredPower, address: modules[beacon]?.address)
                )
            }, uniquingKeysWith: { $1 })
        let names = Set(entries.map(\.name))
        absences = absences.filter { names.contains($0.key) }
    }

    /// Records the state of a module.
    ///
    /// - Returns: whether its address is new.
    mutating func update(_ status: ModuleStatus, now: Duration) -> Bool {
        let isAbsent = status.condition == .absent
        if let wasAbsent = absences.updateValue(isAbsent, forKey: status.entry.name) {
            if !isAbsent {
                vanishedAt = nil
            } else if !wasAbsent {
                vanishedAt = now
            }
        }
        let beacon = status.entry.configuration.beacon
        guard let address = status.address, let module = modules[beacon], module.address != address else {
            return false
        }
        modules[beacon]?.address = address
        return true
    }

    /// Whether a module that was unplugged when a silence began can explain it.
    func explains(silence: Duration, now: Duration) -> Bool {
        vanishedAt.map { now - $0 <= silence + .seconds(5) } ?? false
    }
}
