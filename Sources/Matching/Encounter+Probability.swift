import BeaconModel
import Proximity

extension Encounter {
    /// The probability, 0 to 1, that the two were within `radius` metres of each other, when nothing is known of the
    /// directions; `nil` when a distance isn't known.
    ///
    /// See `MutualDistance.probability(within:_:_:separation:)`.
    package func probability(within radius: Double) -> Double? {
        guard let one = positive.distance, let two = other.distance else { return nil }
        return MutualDistance.probability(
            within: radius, one.estimate, two.estimate, separation: Double(separation) / 100)
    }
}
