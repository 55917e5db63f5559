public import BeaconModel

/// How one module of the inventory is.
public struct ModuleStatus: Equatable, Sendable {
    public enum Condition: String, Sendable {
        /// Its module isn't plugged in.
        case absent
        /// It is being made to advertise.
        case provisioning
        /// It says that it advertises, and it is heard.
        case advertising
        /// It says that it advertises; nobody has heard it, for want of an ear or of time.
        case unverified
        /// It says that it advertises, but it isn't heard, although others are.
        case notHeard = "not-heard"
        /// It can't be made to advertise; see `problem`.
        case failed
    }

    public var entry: InventoryEntry
    public var condition: Condition
    public var port: String?
    public var address: BluetoothAddress?
    public var firmware: String?
    public var advertisingType: AdvertisingType?
    /// What was applied.
    public var applied: BeaconConfiguration?
    /// How it was heard when it was heard first.
    public var heard: AirWatch.Reception?
    /// Others that are heard with this beacon's identity.
    public var duplicates: [BluetoothAddress] = []
    public var problem: Problem?

    /// What a person should know, and do.
    public struct Problem: Equatable, Sendable {
        public var what: String
        public var remedy: String?

        public init(what: String, remedy: String?) {
            self.what = what
            self.remedy = remedy
        }
    }

    public init(entry: InventoryEntry, condition: Condition) {
        self.entry = entry
        self.condition = condition
    }
}
