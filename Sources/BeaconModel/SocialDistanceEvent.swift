/// An event in which two badges came near each other, or moved apart.
public struct SocialDistanceEvent: Equatable, Sendable {
    public var kind: Kind
    /// Time of the decision, in the time of the data.
    public var time: Timestamp
    /// Badges involved; `first < second`.
    public var first: BeaconID
    public var second: BeaconID
    /// Time since which the badges have probably been near each other.
    public var since: Timestamp
    /// End of the encounter. `until` and `reason` are set once it is over.
    public var until: Timestamp?
    public var reason: EndReason?
    /// Largest and mean probability over the updates from `since` to `time` or `until`.
    public var peakProbability: Double
    public var meanProbability: Double
    /// Distance according to the latest update with both badges.
    public var distance: MutualDistance
    public var firstDistance: DistanceEstimate
    public var secondDistance: DistanceEstimate

    public enum Kind: String, Sendable {
        case started, ended
    }

    public enum EndReason: String, Sendable {
        /// The badges are probably no longer near each other.
        case apart
        /// One of the badges departed.
        case departed
        /// The clock was set back.
        case lost
        /// The gateway was stopped.
        case shutdown
    }

    public init(
        kind: Kind, time: Timestamp, first: BeaconID, second: BeaconID, since: Timestamp, until: Timestamp? = nil,
        reason: EndReason? = nil, peakProbability: Double, meanProbability: Double, distance: MutualDistance,
        firstDistance: DistanceEstimate, secondDistance: DistanceEstimate
    ) {
        self.kind = kind
        self.time = time
        self.first = first
        self.second = second
        self.since = since
        self.until = until
        self.reason = reason
        self.peakProbability = peakProbability
        self.meanProbability = meanProbability
        self.distance = distance
        self.firstDistance = firstDistance
        self.secondDistance = secondDistance
    }
}
