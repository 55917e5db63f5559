/// An event in which two badges came near each other, or moved apart.
public struct SocialDistanceEvent: Equatable, Sendable {
    /// Whether the alert starts or ends.
    public var kind: Kind
    /// Time of the decision, in the time of the data.
    public var time: Timestamp
    /// Badges involved; `first < second`.
    public var first: BeaconID
    /// The other badge.
    public var second: BeaconID
    /// Time since which the badges have probably been near each other.
    public var since: Timestamp
    /// End of the encounter. `until` and `reason` are set once it is over.
    public var until: Timestamp?
    /// Reason of the end; `nil` at the start.
    public var reason: EndReason?
    /// Largest and mean probability over the updates from `since` to `time` or `until`.
    public var peakProbability: Double
    /// Mean probability that the two were too near each other.
    public var meanProbability: Double
    /// Distance according to the latest update with both badges.
    public var distance: MutualDistance
    /// Distance of the first badge from the gateway.
    public var firstDistance: DistanceEstimate
    /// Distance of the second badge from the gateway.
    public var secondDistance: DistanceEstimate

    /// The kinds of event.
    public enum Kind: String, Sendable {
        /// Start and end of an alert.
        case started, ended
    }

    /// The reasons for which alerts end.
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

    /// Creates an event from its parts.
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
