public import BeaconModel

/// The state of one module of the inventory.
public struct ModuleStatus: Equatable, Sendable {
    /// The condition of a module.
    public enum Condition: String, Sendable {
        /// The module is not plugged in.
        case absent
        /// The module is being provisioned.
        case provisioning
        /// The module reports that it advertises, and it is heard.
        case advertising
        /// The module reports that it advertises, but has not been heard, for lack of a receiver or of time.
        case unverified
        /// The module reports that it advertises, but it is not heard although others are.
        case notHeard = "not-heard"
        /// The module cannot be made to advertise; see `problem`.
        case failed
    }

    /// The module's entry.
    public var entry: InventoryEntry
    /// The present condition.
    public var condition: Condition
    /// The module's port, if it is plugged in.
    public var port: String?
    /// The module's address, if it is known.
    public var address: BluetoothAddress?
    /// The module's firmware version, if it is known.
    public var firmware: String?
    /// The type of advertising in use.
    public var advertisingType: AdvertisingType?
    /// The configuration that was applied.
    public var applied: BeaconConfiguration?
    /// Reception of the module when it was first heard.
    public var heard: AdvertisingWatch.Reception?
    /// Addresses of other devices that advertise this beacon's identity.
    public var duplicates: [BluetoothAddress] = []
    /// The problem, if there is one.
    public var problem: Problem?
    /// Listening state; `nil` for a module that must not listen.
    public var listening: Listening?

    /// The listening state of a module.
    public struct Listening: Equatable, Sendable {
        /// The condition of a module that listens.
        public enum Condition: String, Sendable {
            /// The module will be told to listen once it advertises.
            case starting
            /// The module listens.
            case listening
            /// The module cannot advertise while it listens, and listens for a few seconds of each minute.
            case inTurns = "in-turns"
            /// The module does not listen, or nothing shows that it does; see `reason`.
            case deaf
        }

        /// The present condition.
        public var condition: Condition
        /// The reason why the module is deaf.
        public var reason: ModuleListening.End?
        /// Number of reports dropped because there were too many.
        public var dropped: UInt64 = 0
        /// Number of reports that could not be parsed.
        public var unreadable: UInt64 = 0

        /// Creates a value from its parts.
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

    /// A problem for the operator to know about. `what` and `remedy` are its words.
    public enum Problem: Equatable, Sendable {
        /// The last dialogue failed.
        case failed(PortFailure)
        /// The inventory has no row for the module, or another module has it.
        case notInInventory
        /// The module is bound to this row for any module, which the inventory no longer has.
        case rowIsGone(String)
        /// The module reports that it advertises, but is not heard although others are.
        case notHeard
        /// Other devices advertise the same identity.
        ///
        /// - Parameter count: number of their addresses.
        case duplicated(count: Int)
        /// The module does not accept the command to listen.
        case doesNotListen
        /// The module receives nothing, and none of its answers shows whether it listens.
        case listeningUnproven

        init?(deafBecause reason: ModuleListening.End) {
            switch reason {
            case .refused: self = .doesNotListen
            case .unproven: self = .listeningUnproven
            case .notWanted, .interrupted, .stopped: return nil
            }
        }
    }

    /// Creates a status without port, address and problem.
    public init(entry: InventoryEntry, condition: Condition) {
        self.entry = entry
        self.condition = condition
    }
}
