import BeaconModel
import Proximity

extension Encounter {
    /// Returns the probability, 0 to 1, that the two were within `radius` metres of each other, given that nothing is
    /// known about directions; `nil` when a distance is unknown.
    ///
    /// See `MutualDistance.probability(within:_:_:separation:)`.
    package func probability(within radius: Double) -> Double? {
        guard let one = positive.distance, let two = other.distance else { return nil }
        return MutualDistance.probability(
            within: radius, one.estimate, two.estimate, separation: Double(separation) / 100)
    }
}
