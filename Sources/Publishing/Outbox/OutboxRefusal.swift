/// Records of one topic that the broker has refused, and when they are tried again. Pure.
package struct OutboxRefusal: Sendable {
    /// The records that were refused, and not taken since.
    package var ids: Set<Int64>
    /// The records that are in no queue until they are tried. Some may be gone.
    var parked: [Int64] = []
    /// Whether the topic's other records wait behind them, so that they come in their order. They don't once the broker has
    /// taken one of them: then it is the refused record that it doesn't take, and not the topic.
    var holdsOthers = true
    package private(set) var attempts = 1
    package private(set) var due: ContinuousClock.Instant
    /// Some are offered again. The next refusal makes the hold longer.
    private var isOnTrial = false

    /// The number of the topic's records that are tried at once. One that is refused for ever doesn't keep the next ones back.
    package static let trial = 8
    private static let longest = 60

    init(_ id: Int64, at now: ContinuousClock.Instant) {
        ids = [id]
        due = now + Self.hold(1)
    }

    /// How long a topic waits: 1 s after the first refusal, twice as long after each further one, up to a minute.
    package static func hold(_ attempts: Int) -> Duration { .seconds(min(longest, 1 << min(attempts - 1, 6))) }

    /// - Returns: whether the topic's other records are to wait from now on.
    package mutating func refused(_ id: Int64, at now: ContinuousClock.Instant) -> Bool {
        ids.insert(id)
        guard isOnTrial else { return false }
        (isOnTrial, holdsOthers) = (false, true)
        attempts += 1
        due = now + Self.hold(attempts)
        return true
    }

    /// Some are offered. If nothing is heard of them, others are after the same time.
    mutating func beginTrial(at now: ContinuousClock.Instant) {
        isOnTrial = true
        due = now + Self.hold(attempts)
    }

    /// The broker has taken a record that it had refused.
    mutating func relent() { (isOnTrial, holdsOthers) = (true, false) }
}
