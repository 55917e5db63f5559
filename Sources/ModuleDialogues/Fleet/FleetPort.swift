/// One port of a fleet, and the module on it.
struct FleetPort: Sendable {
    package enum Phase: Equatable, Sendable {
        /// A dialogue is bringing the module to its assigned state.
        case busy
        /// The module does what it should, according to its own answers.
        case working
        /// The inventory has no entry for the module.
        case unassigned
        /// The last attempt failed; the next one is at `wakeAt`.
        case waiting
    }

    let description: SerialPortDescription
    private let kinds: [ModuleKind]
    private let rules: Fleet.Rules
    private var failures = 0
    private var kindIndex = 0
    var phase = Phase.busy
    /// Whether a dialogue is running on the port.
    var isOpen = false
    var wakeAt: Duration?
    /// Whether the port did not exist at the last attempt.
    var isMissing = false
    /// Whether the port's device has disappeared, as it does when its module resets. The port is given up at `wakeAt`.
    var isAway = false
    var identity: ModuleIdentity?
    /// Name of the inventory entry assigned to the module.
    var entry: String?
    var provisioned: ProvisionedModule?
    var problem: ModuleStatus.Problem?
    /// The error that the dialogue reported before it ended.
    var error: ProvisioningError?
    /// Listening state of the module; `nil` while it must not listen.
    var listening: ModuleStatus.Listening?
    /// Number of actions taken because the module is not heard.
    var unheard = 0

    init(description: SerialPortDescription, kinds: [ModuleKind], rules: Fleet.Rules) {
        self.description = description
        self.kinds = kinds
        self.rules = rules
    }

    /// The kind to try next. If several kinds are possible, each failure moves on to the next.
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
        // A module that has been identified keeps its kind.
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
