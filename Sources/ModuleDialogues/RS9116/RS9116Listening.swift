/// What is known of how a module listens beside its advertising, and what comes next.
///
/// That both are possible at once, and what a firmware does where they aren't, is LIKELY or UNKNOWN in AT mode; so it is
/// found out: see `RS9116Assumption.scanBesideAdvertising`.
package struct RS9116Listening: Sendable {
    /// The command that waits for its answer.
    package enum Step: Equatable {
        /// The scan is started; again after it was stopped, where the first start was refused.
        case start(isSecond: Bool)
        case stopFirst
        /// It is started once more, which tells whether a module refuses that.
        case askScan
        /// The advertising is started, which tells whether it had stopped; once more, where it was accepted.
        case askAdvertising(isSecond: Bool)
        case askState
        /// Whether it still scans, of a module that refuses a second start.
        case proveByStart
        /// The same, of a module that doesn't.
        case proveByState
        /// Nothing proves that it scans: it is started again.
        case renew
        /// The scan is stopped, because nobody wants it, or for turns to be taken.
        case stop
        case resumeAdvertising
        // A turn, in their order.
        case pauseAdvertising
        case turnStart(isSecond: Bool)
        case turnStopFirst
        case turnState
        case turnProof
        case turnStop
        case turnResume
    }

    package var isWanted = false
    /// The module can't do both at once.
    package var takesTurns = false
    /// It is known to listen, and that was said.
    package var isOn = false
    /// A scan may be on.
    var mayScan = false
    /// Whether it refuses a second start of a scan; `nil` while that isn't known.
    var refusesSecondStart: Bool?
    /// What a scan does to the advertising was found out in this boot.
    package var isSettled = false
    /// It has heard somebody since it was last confirmed that it listens.
    var hasHeard = false
    /// When there is something to do.
    package private(set) var nextAt: Duration = .zero
    /// Commands of its listening, one after the other, that weren't answered.
    package var unanswered = 0
    /// Reports of this boot that could be read, and that couldn't.
    package var readable = 0
    package var unreadable = 0
    /// Reports came although nobody wanted any, and the scan was stopped.
    var strayStops = 0

    package static let mostUnanswered = 2
    static let mostStrayStops = 2
    /// After the beacon is on the air.
    private static let delay: Duration = .seconds(1)

    /// When there is something to do; `nil` for never.
    var dueAt: Duration? { isWanted || mayScan ? nextAt : nil }

    /// Whether so much can't be read that the line must be losing bytes.
    var losesMuch: Bool { unreadable >= 50 && unreadable > readable / 4 }

    package mutating func provisioned(at now: Duration) {
        hasHeard = false
        (readable, unreadable) = (0, 0)
        isSettled = false
        // What was refused is not tried the sooner.
        nextAt = max(nextAt, now + Self.delay)
    }

    package mutating func wait(until time: Duration) { nextAt = time }
}
