import BeaconModel

/// One port of a fleet, and the module on it.
struct PortSupervisor: Sendable {
    enum Phase: Equatable, Sendable {
        /// A dialogue is bringing the module to its assigned state.
        case busy
        /// The module does what it should, according to its own answers.
        case working(ProvisionedModule)
        /// The inventory has no entry for the module.
        ///
        /// - Parameter isOpen: whether its dialogue has not ended yet.
        case unassigned(isOpen: Bool)
        /// The last attempt failed; the next one is at this time.
        case waiting(until: Duration)
    }

    let description: SerialPortDescription
    private let kinds: [ModuleKind]
    private let rules: Fleet.Rules
    private var failures = 0
    private var kindIndex = 0
    private(set) var phase = Phase.waiting(until: .zero)
    /// Time at which the port is given up, because its device disappeared, as it does when its module resets; `nil`
    /// while it is present.
    private(set) var awayUntil: Duration?
    private(set) var identity: ModuleIdentity?
    /// Name of the inventory entry assigned to the module.
    private(set) var entry: String?
    /// Name of the inventory entry for the port, as far as it can be known before the module has answered.
    var expected: String?
    /// The failure that ended the last dialogue; `nil` once the module does what it should.
    private(set) var failure: PortFailure?
    /// The failure that the dialogue reported before it ended.
    private var reported: PortFailure?
    /// Listening state of the module; `nil` while it must not listen.
    private(set) var listening: ModuleStatus.Listening?
    /// Number of actions taken because the module is not heard.
    private(set) var unheard = 0
    /// Time by which the module must be heard.
    private var hearBy: Duration?

    init(
        description: SerialPortDescription, kinds: [ModuleKind], expected: String?, rules: Fleet.Rules
    ) {
        self.description = description
        self.kinds = kinds
        self.expected = expected
        self.rules = rules
    }

    /// The kind to try next. If several kinds are possible, each failure moves on to the next.
    var kind: ModuleKind { kinds.indices.contains(kindIndex) ? kinds[kindIndex] : .rs9116 }

    /// Whether a dialogue is running on the port.
    var isOpen: Bool {
        switch phase {
        case .busy, .working, .unassigned(isOpen: true): true
        case .unassigned(isOpen: false), .waiting: false
        }
    }

    var isUnassigned: Bool {
        if case .unassigned = phase { true } else { false }
    }

    /// Whether the module is not known yet, and not all kinds of modules have been tried on the port.
    var isBeingIdentified: Bool { identity == nil && failures == 0 }

    /// The module, if it does what it should.
    var provisioned: ProvisionedModule? {
        if case .working(let module) = phase { module } else { nil }
    }

    /// Time at which something is due.
    var wakeAt: Duration? {
        if let awayUntil { return awayUntil }
        return switch phase {
        case .working: hearBy
        case .waiting(let until): until
        case .busy, .unassigned: nil
        }
    }

    // MARK: The port

    /// Records that the device disappeared, if the dialogue can wait for it to come back.
    mutating func goAway(_ now: Duration) -> Bool {
        guard isOpen, awayUntil == nil, description.goesWithReset else { return false }
        awayUntil = now + rules.longestAbsence
        hearBy = nil
        return true
    }

    mutating func comeBack() {
        guard awayUntil != nil else { return }
        awayUntil = nil
        hearBy = nil
    }

    // MARK: The dialogue

    mutating func open() {
        phase = .busy
        hearBy = nil
    }

    /// - Parameter entry: the entry that the module was assigned; `nil` when there is none for it.
    mutating func identified(_ identity: ModuleIdentity, entry: String?) {
        self.identity = identity
        self.entry = entry
        if entry == nil { phase = .unassigned(isOpen: true) }
    }

    /// Assigns another entry to an identified module.
    mutating func reassign(_ entry: String?) {
        self.entry = entry
        if entry == nil { phase = .unassigned(isOpen: true) }
    }

    mutating func provisioned(_ module: ProvisionedModule, _ now: Duration) {
        phase = .working(module)
        failure = nil
        reported = nil
        failures = 0
        let patience = now + AdvertisingWatch.silentAfter(module.configuration.interval)
        // For a module that was not heard before, the deadline set at that time remains in force.
        hearBy = unheard == 0 ? patience : max(hearBy ?? patience, patience)
    }

    /// Records that the module no longer does what it should, and that its dialogue is repairing it.
    mutating func lost() { phase = .busy }

    mutating func failed(_ error: ProvisioningError) { reported = PortFailure(error) }

    /// Records the end of the dialogue.
    ///
    /// - Returns: the failure, and whether it is another one than before; `nil` for a module without an entry, which
    ///   needs no dialogue.
    mutating func ended(_ failure: PortFailure?, _ now: Duration) -> (failure: PortFailure, isNews: Bool)? {
        // The next dialogue must be told again whether to listen.
        listening = nil
        if isUnassigned {
            phase = .unassigned(isOpen: false)
            return nil
        }
        let failure = reported ?? failure ?? .ended
        let isNews = self.failure?.what != failure.what
        self.failure = failure
        reported = nil
        hearBy = nil
        phase = .waiting(until: now + pause())
        return (failure, isNews)
    }

    /// Returns the time to wait after a failure.
    private mutating func pause() -> Duration {
        // A module that has been identified keeps its kind.
        let triesNextKind = identity == nil && kindIndex + 1 < kinds.count
        if identity == nil { kindIndex = triesNextKind ? kindIndex + 1 : 0 }
        // The other kinds are tried at once.
        if triesNextKind { return .seconds(1) }
        defer { failures += 1 }
        return min(rules.firstRetry * (1 << min(failures, 10)), rules.longestRetry)
    }

    // MARK: Listening and reception

    /// Switches listening on or off.
    ///
    /// - Returns: whether that is a change.
    mutating func listen(_ isWanted: Bool) -> Bool {
        guard (listening != nil) != isWanted else { return false }
        listening = isWanted ? .init(.starting) : nil
        return true
    }

    mutating func told(_ news: ModuleListening) { listening?.take(news) }

    mutating func lostReports(dropped: UInt64, unreadable: UInt64) {
        listening?.dropped += dropped
        listening?.unreadable += unreadable
    }

    /// Records that the module is heard as it should be.
    mutating func heard() {
        hearBy = nil
        unheard = 0
    }

    /// Expects the module to be heard within the time that a receiver needs.
    mutating func expectHearing(_ now: Duration) {
        guard case .working(let module) = phase else { return }
        hearBy = now + AdvertisingWatch.silentAfter(module.configuration.interval)
    }

    /// Records that the time in which the module must be heard has elapsed.
    mutating func hearingIsDue() { hearBy = nil }

    /// Begins an action because the module is not heard, at increasing intervals.
    ///
    /// - Returns: the number of actions before it; `nil` if none may be taken yet. A sender that imitates our beacons
    ///   must not be able to keep the module in reset.
    mutating func insist(_ now: Duration) -> Int? {
        if unheard > 0, let hearBy, now < hearBy { return nil }
        let attempt = unheard
        unheard += 1
        let doublings = min(max(0, attempt - 1), 8)
        hearBy = now + min(rules.hearingPatience * (1 << doublings), rules.longestRetry)
        return attempt
    }
}
