/// One port of a fleet, and the module on it.
struct FleetPort: Sendable {
    package enum Phase: Equatable, Sendable {
        /// A dialogue tries to bring the module to what it should do.
        case busy
        /// The module does what it should, as far as it says itself.
        case working
        /// The inventory has nothing for the module.
        case unassigned
        /// The last try failed; the next is at `wakeAt`.
        case waiting
    }

    let description: SerialPortDescription
    private let kinds: [ModuleKind]
    private let rules: Fleet.Rules
    private var failures = 0
    private var kindIndex = 0
    var phase = Phase.busy
    /// Whether a dialogue is at work on it.
    var isOpen = false
    var wakeAt: Duration?
    /// There was no such port at the last try.
    var isMissing = false
    /// Its device went away, as it does when its module resets; at `wakeAt` it is given up.
    var isAway = false
    var identity: ModuleIdentity?
    /// Name of the entry of the inventory that it has.
    var entry: String?
    var provisioned: ProvisionedModule?
    var problem: ModuleStatus.Problem?
    /// What the dialogue said before its end.
    var error: ProvisioningError?
    /// How its module listens; `nil` while it isn't to.
    var listening: ModuleStatus.Listening?
    /// How often something was done about a module that isn't heard.
    var unheard = 0

    init(description: SerialPortDescription, kinds: [ModuleKind], rules: Fleet.Rules) {
        self.description = description
        self.kinds = kinds
        self.rules = rules
    }

    /// After a failure the next kind is tried where several are possible.
    var kind: ModuleKind { kinds.indices.contains(kindIndex) ? kinds[kindIndex] : .rs9116 }

    mutating func succeed(_ module: ProvisionedModule) {
        phase = .working
        provisioned = module
        problem = nil
        isMissing = false
        error = nil
        failures = 0
    }

    mutating func fail(_ now: Duration) {
        phase = .waiting
        // A module that has said who it is stays of its kind.
        let triesNextKind = identity == nil && kindIndex + 1 < kinds.count
        if identity == nil { kindIndex = triesNextKind ? kindIndex + 1 : 0 }
        if triesNextKind {
            // The other kinds are tried at once.
            wakeAt = now + .seconds(1)
            return
        }
        wakeAt = now + min(rules.firstRetry * (1 << min(failures, 10)), rules.longestRetry)
        failures += 1
    }
}
