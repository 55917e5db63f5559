/// Records of one topic that the broker has rejected, and when they are tried again. Pure.
package struct OutboxRefusal: Sendable {
    /// Records that were rejected and have not been accepted since.
    package var ids: Set<Int64>
    /// Records that are in no queue until they are tried. Some may be gone.
    var parked: [Int64] = []
    /// Whether the topic's other records wait behind the rejected ones, so that they arrive in order. They do not wait
    /// once the broker has accepted one of them: it then rejects the particular record, not the topic.
    var holdsOthers = true
    package private(set) var attempts = 1
    package private(set) var due: ContinuousClock.Instant
    /// Whether some records are being offered again. The next rejection then extends the hold.
    private var isOnTrial = false

    /// Number of the topic's records that are tried at once. A record that is always rejected does not hold up the next
    /// ones.
    package static let trial = 8
    private static let longest = 60

    init(_ id: Int64, at now: ContinuousClock.Instant) {
        ids = [id]
        due = now + Self.hold(1)
    }

    /// Returns how long a topic waits: 1 s after the first rejection, doubling after each further one, up to one
    /// minute.
    package static func hold(_ attempts: Int) -> Duration { .seconds(min(longest, 1 << min(attempts - 1, 6))) }

    /// Records a rejection.
    ///
    /// - Returns: whether the topic's other records must wait from now on.
    package mutating func refused(_ id: Int64, at now: ContinuousClock.Instant) -> Bool {
        ids.insert(id)
        guard isOnTrial else { return false }
        (isOnTrial, holdsOthers) = (false, true)
        attempts += 1
        due = now + Self.hold(attempts)
        return true
    }

    /// Starts a trial, in which some records are offered. If there is no answer, others are offered after the same
    /// time.
    mutating func beginTrial(at now: ContinuousClock.Instant) {
        isOnTrial = true
        due = now + Self.hold(attempts)
    }

    /// Handles a rejected record that the broker has now accepted.
    mutating func relent() { (isOnTrial, holdsOthers) = (true, false) }
}
