/// Listening by a module that also advertises, as a pure state machine: answers and the time in, outputs out.
/// Advertising has priority: after each step of the listening that may affect it, the driver checks the advertising at
/// once and repairs it.
///
/// Whether both are possible at once, and what firmware does if they are not, is LIKELY or UNKNOWN in AT mode, so the
/// driver finds out: see `RS9116Assumption.scanBesideAdvertising`.
struct RS9116Listening: Sendable {
    /// A command that waits for its answer.
    enum Step: Equatable, Sendable {
        /// Starting the scan; the second time after it was stopped, because the first start was refused.
        case start(isSecond: Bool)
        case stopFirst
        /// Starting the scan once more, to learn whether the module refuses that.
        case askScan
        /// Starting the advertising, to learn whether it had stopped; the second time because the first start was
        /// accepted.
        case askAdvertising(isSecond: Bool)
        case askState
        /// Checking that the scan is still on, for a module that refuses a second start.
        case proveByStart
        /// Checking that the scan is still on, for a module that does not refuse a second start.
        case proveByState
        /// Starting the scan again, because nothing shows that it is on.
        case renew
        /// Stopping the scan, because it is no longer wanted or because turns are to be taken.
        case stop
        case resumeAdvertising
        // The steps of a listening turn, in order.
        case pauseAdvertising
        case turnStart(isSecond: Bool)
        case turnStopFirst
        case turnState
        case turnProof
        case turnStop
        case turnResume
    }

    enum Output: Equatable, Sendable {
        case report(ProvisioningStep)
        case tell(ModuleListening)
        case received(ModuleReception)
        case perform(Step)
        /// Waits for the time of the next step, or of the next check if that is earlier.
        case rest
        /// Waits for the end of a listening turn.
        case hear
        /// The module does not answer.
        case lose
        /// The advertising that was paused, or ended by a scan, does not start again.
        case advertisingFailed(RS9116ErrorCode)
        /// The line loses bytes at its speed.
        case slowDown
        /// The listening has ended because the port is about to be released.
        case finish
    }

    let pace: ModuleKind.Pace
    /// Whether the advertising can be stopped in order to listen.
    private let canPauseAdvertising: Bool
    private(set) var isWanted = false
    /// Whether the port is about to be released, so that nothing will read the reports.
    private(set) var isLeaving = false
    /// Whether the module cannot scan and advertise at once.
    var takesTurns: Bool
    /// Whether the module is known to listen and this was reported.
    var isOn = false
    /// Whether a scan may be on.
    var mayScan = false
    /// Whether the module refuses a second start of a scan; `nil` while unknown.
    var refusesSecondStart: Bool?
    /// Whether the effect of a scan on the advertising was determined since the module was last provisioned.
    var isSettled = false
    /// Whether the module has received an advertisement since its listening was last confirmed.
    var hasHeard = false
    /// Time of the next step.
    var nextAt: Duration = .zero
    /// Number of consecutive listening commands without an answer.
    var unanswered = 0
    /// Number of reports since provisioning that could be parsed (`readable`) and that could not (`unreadable`).
    private var readable = 0
    private var unreadable = 0
    /// Number of times that reports arrived unrequested and the scan was stopped.
    private var strayStops = 0

    static let mostUnanswered = 2
    private static let mostStrayStops = 2
    /// Delay after the beacon starts to advertise.
    private static let delay: Duration = .seconds(1)

    init(profile: RS9116Profile, pace: ModuleKind.Pace) {
        self.pace = pace
        canPauseAdvertising = profile.assumes(.stopTakesAllParameters)
        takesTurns = !profile.assumes(.scanBesideAdvertising)
        refusesSecondStart = profile[.secondScanRefused]
    }

    /// Time of the next step; `nil` for never.
    var dueAt: Duration? { isWanted || mayScan ? nextAt : nil }

    /// Whether so many reports are unreadable that the line must be losing bytes.
    private var losesMuch: Bool { unreadable >= 50 && unreadable > readable / 4 }

    // MARK: Inputs other than answers

    mutating func provisioned(at now: Duration) {
        hasHeard = false
        (readable, unreadable) = (0, 0)
        isSettled = false
        // A refused scan is not retried earlier because of this.
        nextAt = max(nextAt, now + Self.delay)
    }

    /// - Returns: whether that is a change.
    mutating func want(_ isWanted: Bool, at now: Duration) -> Bool {
        guard self.isWanted != isWanted else { return false }
        self.isWanted = isWanted
        nextAt = now
        return true
    }

    /// Records that the port is about to be released.
    mutating func leave() { isLeaving = true }

    /// Records that a module which was found running reports that it scans.
    mutating func foundScanning() { mayScan = true }

    /// Records that the module was reset or is being provisioned.
    ///
    /// - Returns: the news, if the module was listening.
    mutating func interrupt() -> ModuleListening? {
        guard isOn else { return nil }
        isOn = false
        return .ended(.interrupted)
    }

    /// Begins the next step that is due.
    mutating func next(at now: Duration) -> [Output] {
        guard isWanted else { return [mayScan ? .perform(.stop) : .rest] }
        if takesTurns { return [.perform(canPauseAdvertising ? .pauseAdvertising : .turnStart(isSecond: false))] }
        guard isOn else { return [.perform(mayScan && isSettled ? .renew : .start(isSecond: false))] }
        if hasHeard { return confirmed(now) }
        return [.perform(refusesSecondStart == true ? .proveByStart : .proveByState)]
    }

    /// Ends a listening turn.
    func endTurn() -> [Output] { [.perform(hasHeard ? .turnStop : .turnState)] }

    /// Handles the notice that a receiver does not hear the module while it listens: it may be unable to advertise
    /// while it scans, without reporting it.
    mutating func missed() -> [Output] { takeTurns() }

    /// Handles a report of an advertisement that the module received.
    ///
    /// - Parameters:
    ///   - reception: `nil` for a report that could not be parsed.
    ///   - isIdle: whether no command is waiting for its answer.
    ///   - isFast: whether the line is faster than the default.
    mutating func heard(_ reception: ModuleReception?, isIdle: Bool, isFast: Bool) -> [Output] {
        guard isWanted else {
            guard !mayScan, strayStops < Self.mostStrayStops else { return [] }
            // Another party, or an earlier run of this driver, has started the scan.
            strayStops += 1
            mayScan = true
            return isIdle ? [.perform(.stop)] : []
        }
        guard mayScan else { return [] }
        guard let reception else {
            unreadable &+= 1
            if isFast, losesMuch { return [.slowDown] }
            return isOn ? [.tell(.unreadable)] : []
        }
        readable &+= 1
        hasHeard = true
        if isOn { return [.received(reception)] }
        guard isIdle, isSettled, !takesTurns else { return [] }
        // The report proves that the module listens.
        return begun(inTurns: false) + [.received(reception)]
    }

    // MARK: Changes of state

    mutating func rest(until time: Duration) -> [Output] {
        nextAt = time
        return [.rest]
    }

    mutating func begun(inTurns: Bool) -> [Output] {
        isOn = true
        return [.tell(.begun(inTurns: inTurns))]
    }

    mutating func ended(_ end: ModuleListening.End) -> [Output] {
        isOn = false
        hasHeard = false
        return [.tell(.ended(end))]
    }

    mutating func started(_ now: Duration) -> [Output] {
        hasHeard = false
        isSettled = true
        return begun(inTurns: false) + rest(until: now + pace.listeningEvidence)
    }

    mutating func confirmed(_ now: Duration) -> [Output] {
        hasHeard = false
        unanswered = 0
        return [.tell(.confirmed)] + rest(until: now + pace.listeningEvidence)
    }

    /// Alternates between listening and advertising, because the module cannot do both at once. The scan ends; the
    /// advertising continues.
    mutating func takeTurns() -> [Output] {
        takesTurns = true
        let news = isOn ? ended(.interrupted) : []
        return news + [.report(.listeningInTurns), .perform(.stop)]
    }

    mutating func refuse(_ code: RS9116ErrorCode) -> [Output] {
        mayScan = false
        return [.report(.listeningRefused(code))] + ended(.refused)
    }

    mutating func advertisingFailed(_ code: RS9116ErrorCode, _ now: Duration) -> [Output] {
        nextAt = now + pace.listeningRetry
        return [.advertisingFailed(code)]
    }
}
