/// Two badges came near each other, or aren't any more.
public struct SocialDistanceEvent: Equatable, Sendable {
    public var kind: Kind
    /// When it was decided, in the time of the data.
    public var time: Timestamp
    /// `first < second`.
    public var first: BeaconID
    public var second: BeaconID
    /// Since when they have probably been near each other.
    public var since: Timestamp
    /// Until when they were; both set once it is over.
    public var until: Timestamp?
    public var reason: EndReason?
    /// Largest and mean probability, of the updates from `since` until the time or `until`.
    public var peakProbability: Double
    public var meanProbability: Double
    /// As known by the latest update with both of them.
    public var distance: MutualDistance
    public var firstDistance: DistanceEstimate
    public var secondDistance: DistanceEstimate

    public enum Kind: String, Sendable {
        case started, ended
    }

    public enum EndReason: String, Sendable {
        /// They are probably no longer near each other.
        case apart
        /// One of them departed.
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
