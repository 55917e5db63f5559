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
    /// How it listens; `nil` for a module that isn't to.
    public var listening: Listening?

    /// How a module listens.
    public struct Listening: Equatable, Sendable {
        public enum Condition: String, Sendable {
            /// It will be told to, once it advertises.
            case starting
            case listening
            /// It can't advertise meanwhile, and does so for some seconds of each minute.
            case inTurns = "in-turns"
            /// It doesn't, or nothing tells that it does; see `reason`.
            case deaf
        }

        public var condition: Condition
        /// Why it is deaf.
        public var reason: ModuleListening.End?
        /// Reports that were too many to be taken in.
        public var dropped: UInt64 = 0
        /// Reports that couldn't be read.
        public var unreadable: UInt64 = 0

        public init(_ condition: Condition, reason: ModuleListening.End? = nil) {
            self.condition = condition
            self.reason = reason
        }

        package mutating func take(_ news: ModuleListening) {
            switch news {
            case .begun(let inTurns): (condition, reason) = (inTurns ? .inTurns : .listening, nil)
            case .confirmed, .paused, .unreadable: break
            case .ended(.interrupted), .ended(.notWanted): (condition, reason) = (.starting, nil)
            case .ended(let end): (condition, reason) = (.deaf, end)
            }
        }
    }

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
