/// The state of a module's listening while it advertises, and the time of the next step.
///
/// Whether both are possible at once, and what firmware does if they are not, is LIKELY or UNKNOWN in AT mode, so the
/// driver finds out: see `RS9116Assumption.scanBesideAdvertising`.
package struct RS9116Listening: Sendable {
    /// A command that waits for its answer.
    package enum Step: Equatable {
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

    package var isWanted = false
    /// Whether the module cannot scan and advertise at once.
    package var takesTurns = false
    /// Whether the module is known to listen and this was reported.
    package var isOn = false
    /// Whether a scan may be on.
    var mayScan = false
    /// Whether the module refuses a second start of a scan; `nil` while unknown.
    var refusesSecondStart: Bool?
    /// Whether the effect of a scan on the advertising was determined since the module was last provisioned.
    package var isSettled = false
    /// Whether the module has received an advertisement since its listening was last confirmed.
    var hasHeard = false
    /// Time of the next step.
    package private(set) var nextAt: Duration = .zero
    /// Number of consecutive listening commands without an answer.
    package var unanswered = 0
    /// Number of reports since provisioning that could be parsed (`readable`) and that could not (`unreadable`).
    package var readable = 0
    package var unreadable = 0
    /// Number of times that reports arrived unrequested and the scan was stopped.
    var strayStops = 0

    package static let mostUnanswered = 2
    static let mostStrayStops = 2
    /// Delay after the beacon starts to advertise.
    private static let delay: Duration = .seconds(1)

    /// Time of the next step; `nil` for never.
    var dueAt: Duration? { isWanted || mayScan ? nextAt : nil }

    /// Whether so many reports are unreadable that the line must be losing bytes.
    var losesMuch: Bool { unreadable >= 50 && unreadable > readable / 4 }

    package mutating func provisioned(at now: Duration) {
        hasHeard = false
        (readable, unreadable) = (0, 0)
        isSettled = false
        // A refused scan is not retried earlier because of this.
        nextAt = max(nextAt, now + Self.delay)
    }

    package mutating func wait(until time: Duration) { nextAt = time }
}
