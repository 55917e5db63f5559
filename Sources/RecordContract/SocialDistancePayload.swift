package import BeaconModel

/// The payload of a record of two badges that are too near each other; the contract defines the field names.
package struct SocialDistancePayload: Encodable, Sendable {
    /// The beacon of the gateway at which the badges met.
    package var beacon: InteractionPayload.Beacon
    package var place: InteractionPayload.PlacePayload
    /// Identifier that is the same in both records of one alert.
    package var alert: String
    package var boot: UInt64
    package var sequence: UInt64
    package var badges: [Badge]
    package var startedAt: String
    package var endedAt: String?
    /// Reason of the end: `apart`, `departed`, `lost` or `shutdown`.
    package var endReason: String?
    /// Distance between the two badges.
    package var distance: InteractionPayload.DistancePayload
    /// Probability that the badges were within the configured distance of each other.
    package var probability: Probability
    package var historical: Bool
    package var clock: String

    package struct Badge: Encodable, Sendable {
        package var uuid: String
        package var major: UInt16
        package var minor: UInt16
        /// Distance of the badge from the gateway.
        package var distance: InteractionPayload.DistancePayload
    }

    package struct Probability: Encodable, Sendable {
        /// The configured distance in metres.
        package var within: Double
        package var mean: Double
        package var peak: Double
    }
}

extension RecordFactory {
    /// Returns the record of a social-distance event.
    ///
    /// - Parameters:
    ///   - radius: the configured distance, in metres.
    ///   - clockIsSynchronized: whether the times in the event are reliable.
    /// - Returns: `nil` for a gateway without a beacon of its own.
    package mutating func record(
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
