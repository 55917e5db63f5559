public import BeaconModel

/// What a record of two badges says that are too near each other; the field names are the contract's.
struct SocialDistancePayload: Encodable, Sendable {
    /// The gateway's own, at which they met.
    var beacon: InteractionPayload.Beacon
    var place: InteractionPayload.PlacePayload
    /// The same in both records of one alert.
    var alert: String
    var boot: UInt64
    var sequence: UInt64
    var badges: [Badge]
    var startedAt: String
    var endedAt: String?
    /// `apart`, `departed`, `lost` or `shutdown`.
    var endReason: String?
    /// Between the two.
    var distance: InteractionPayload.DistancePayload
    /// That they were within the configured distance of each other.
    var probability: Probability
    var historical: Bool
    var clock: String

    struct Badge: Encodable, Sendable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        /// To the gateway.
        var distance: InteractionPayload.DistancePayload
    }

    struct Probability: Encodable, Sendable {
        /// Metres.
        var within: Double
        var mean: Double
        var peak: Double
    }
}

extension RecordFactory {
    /// - Parameters:
    ///   - radius: the configured distance, in metres.
    ///   - clockIsSynchronized: whether the times in the event can be trusted.
    /// - Returns: `nil` for a gateway without a beacon of its own.
    public mutating func record(
        for event: SocialDistanceEvent, within radius: Double, clockIsSynchronized: Bool
    ) -> Record? {
        guard let beacon = place.beacon else { return nil }
        let sequence = nextSequence()
        let payload = SocialDistancePayload(
            beacon: .init(beacon), place: .init(place),
            alert: "\(path)/\(boot)/\(event.first)-\(event.second)/\(event.since.rfc3339)", boot: boot,
            sequence: sequence,
            badges: [(event.first, event.firstDistance), (event.second, event.secondDistance)].map { badge, distance in
                .init(
                    uuid: badge.uuid.description, major: badge.major, minor: badge.minor, distance: .init(distance))
            },
            startedAt: event.since.rfc3339, endedAt: event.until?.rfc3339, endReason: event.reason?.rawValue,
            distance: .init(event.distance),
            probability: .init(
                within: radius, mean: rounded(event.meanProbability, 1000), peak: rounded(event.peakProbability, 1000)),
            historical: false, clock: clockIsSynchronized ? "synchronized" : "unsynchronized")
        return Record(
            topic: topics.socialDistance(beacon), priority: event.kind == .started ? .started : .ended,
            event: CloudEvent(
                id: "\(path)/\(boot)/\(sequence)", source: "/" + path, type: "social-distance." + event.kind.rawValue,
                time: event.time.rfc3339, data: payload))
    }
}
