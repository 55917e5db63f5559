/// Which co-locations are contacts. Pure integers, so that a database decides the same.
package struct ContactRule: Equatable, Sendable {
    /// Two are in contact when they are within this distance of each other, in centimetres.
    package var radius: Int64
    /// Each has to be within this distance of its place besides, in centimetres; `nil`: anywhere.
    package var placeRadius: Int64?
    /// How long after one has left the place the other may come, in seconds.
    package var window: Int64
    package var nearness: Nearness
    package var period: Period
    /// Fewer than these in a period are no exposure; of what, `nearness` and the policy's weights say.
    package var leastMinutes: Double

    /// How it is told that two were within the radius.
    package enum Nearness: String, Equatable, Sendable, CaseIterable {
        /// Their distances from the place together are no more than the radius: then nothing else is possible, as far as
        /// the medians are right. Every shared minute counts.
        case sumOfDistances = "sum-of-distances"
        /// A shared minute counts by the probability that they were.
        case probability
    }

    /// What is judged as one.
    package enum Period: Equatable, Sendable {
        /// Encounters that follow each other within so many seconds.
        case episode(gap: Int64)
        /// A day of the calendar, in the site's time zone.
        case day
        /// Any 24 hours: no midnight divides those who were together before and after it.
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

    /// Whether the rule can hold of an encounter; `nil` when a distance isn't known.
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
