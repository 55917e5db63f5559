/// Rule that decides which co-locations are contacts. It uses integers only, so that a database decides the same.
package struct ContactRule: Equatable, Sendable {
    /// Maximum distance between two subjects in contact, in centimetres.
    package var radius: Int64
    /// Maximum distance of each subject from its place, in centimetres, as a further condition; `nil`: no limit.
    package var placeRadius: Int64?
    /// Maximum time from the departure of one subject to the arrival of the other, in seconds.
    package var window: Int64
    package var nearness: Nearness
    package var period: Period
    /// Minimum minutes in a period for an exposure. `nearness` and the policy's weights determine how minutes count.
    package var leastMinutes: Double

    /// Criterion for two subjects being within the radius.
    package enum Nearness: String, Equatable, Sendable, CaseIterable {
        /// Sum of both distances from the place, plus any separation of two places, not above the radius. The subjects
        /// were then certainly within it, provided that the medians are right. Every shared minute counts.
        case sumOfDistances = "sum-of-distances"
        /// Probability that the subjects were within the radius; each shared minute counts by it.
        case probability
    }

    /// Time span that is judged as one.
    package enum Period: Equatable, Sendable {
        /// Encounters that follow each other within `gap` seconds.
        case episode(gap: Int64)
        /// A calendar day in the site's time zone.
        case day
        /// Any 24 hours: midnight does not divide the time of subjects who were together before and after it.
        case anyDay
    }

    package init(
        radius: Int64, placeRadius: Int64? = nil, window: Int64, nearness: Nearness, period: Period,
        leastMinutes: Double
    ) {
        self.radius = radius
        self.placeRadius = placeRadius
        self.window = window
        self.nearness = nearness
        self.period = period
        self.leastMinutes = leastMinutes
    }

    /// Whether the rule can hold for an encounter; `nil` when a distance is unknown.
    package func admits(_ encounter: Encounter) -> Bool? {
        guard let range = encounter.range, let sum = encounter.sumOfDistances, let one = encounter.positive.distance,
            let two = encounter.other.distance
        else { return nil }
        if let placeRadius, max(one.centimetres, two.centimetres) > placeRadius { return false }
        switch nearness {
        case .sumOfDistances: return sum <= radius
        case .probability: return range.lowerBound <= radius
        }
    }
}
