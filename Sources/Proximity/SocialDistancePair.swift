import BeaconModel

/// Two badges that are probably near each other.
struct SocialDistancePair: Sendable {
    /// Identities of the pair; `first < second`.
    struct Key: Hashable, Comparable, Sendable {
        let first: BeaconID
        let second: BeaconID

        init(_ one: BeaconID, _ other: BeaconID) { (first, second) = one < other ? (one, other) : (other, one) }

        static func < (left: Key, right: Key) -> Bool { (left.first, left.second) < (right.first, right.second) }
    }

    enum Phase: Sendable {
        /// Proximity that has not lasted for long enough.
        case beginning
        case begun
        /// Proximity that has lasted for long enough, but without room for an alert.
        case refused
    }

    /// Badges of a pair at one time.
    struct Sample: Sendable {
        var first: SocialDistanceWatch.Badge
        var second: SocialDistanceWatch.Badge
        var probability: Double
    }

    private struct Sum: Sendable {
        var count = 0.0
        var total = 0.0
    }

    var phase = Phase.beginning
    private(set) var since: Timestamp
    private(set) var updatedAt: Timestamp
    private(set) var latest: Sample
    private(set) var peak = 0.0
    private var sum = Sum()
    /// Start of the current improbable time, if any, and the updates since then.
    private var belowSince: Timestamp?
    private var sumBelow = Sum()

    init(_ sample: Sample, at time: Timestamp) {
        since = time
        updatedAt = time
        latest = sample
        take(sample, at: time, release: 0)
    }

    mutating func take(_ sample: Sample, at time: Timestamp, release: Double) {
        updatedAt = time
        latest = sample
        if sample.probability < release {
            if belowSince == nil { belowSince = time }
            sumBelow.count += 1
            sumBelow.total += sample.probability
            return
        }
        peak = max(peak, sample.probability)
        sum.count += sumBelow.count + 1
        sum.total += sumBelow.total + sample.probability
        sumBelow = Sum()
        belowSince = nil
    }

    /// Whether the pair has lasted for long enough and both badges have been received since, so that no alert is based
    /// on two packets.
    func isReady(at time: Timestamp, hold: Duration) -> Bool {
        time - since >= hold && min(latest.first.lastSeenAt, latest.second.lastSeenAt) >= since
    }

    func isOver(at time: Timestamp, hold: Duration) -> Bool { belowSince.map { time - $0 >= hold } ?? false }

    func started(at time: Timestamp) -> SocialDistanceEvent? { event(.started, at: time) }

    /// Returns the event for the end; `nil` when a distance is invalid.
    ///
    /// - Parameter until: upper bound for the end of the alert. The end is no later than the time when it became
    ///   improbable, and never before the start.
    func ended(
        at time: Timestamp, until: Timestamp? = nil, reason: SocialDistanceEvent.EndReason
    ) -> SocialDistanceEvent? {
        var event = event(.ended, at: time)
        event?.until = max(since, min(time, belowSince ?? .latest, until ?? .latest))
        event?.reason = reason
        return event
    }

    private func event(_ kind: SocialDistanceEvent.Kind, at time: Timestamp) -> SocialDistanceEvent? {
        let (first, second) = (latest.first, latest.second)
        guard let distance = MutualDistance(first.distance, second.distance) else { return nil }
        return SocialDistanceEvent(
            kind: kind, time: time, first: first.subject, second: second.subject, since: since, peakProbability: peak,
            meanProbability: sum.total / max(1, sum.count), distance: distance, firstDistance: first.distance,
            secondDistance: second.distance)
    }
}
