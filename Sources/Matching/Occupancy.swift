import BeaconModel
import Proximity
import RealModule

/// Number of people in a room, given the probability of each one's presence: the Poisson binomial distribution.
package struct Occupancy: Equatable, Sendable {
    package var expected: Double
    /// Bounds of the number of people: it lies between `lower` and `upper` with a probability of at least 90 %.
    package var lower: Int
    package var upper: Int

    /// Maximum number of people for which the exact distribution is computed. Above it the distribution is practically
    /// normal (for the error see Hodges and Le Cam, "The Poisson approximation to the Poisson binomial distribution",
    /// 1960).
    private static let mostExact = 1000

    /// Computes the occupancy.
    ///
    /// - Parameter probabilities: the probability of each person's presence, 0 to 1.
    package init(_ probabilities: [Double]) {
        let present = probabilities.map { min(max($0.isNaN ? 0 : $0, 0), 1) }.filter { $0 > 0 }
        expected = present.reduce(0, +)
        guard present.count <= Self.mostExact else {
            let deviation = present.reduce(0) { $0 + $1 * (1 - $1) }.squareRoot() * LogNormal.reachOf90Percent
            lower = max(0, Int((expected - deviation).rounded(.down)))
            upper = min(present.count, Int((expected + deviation).rounded(.up)))
            return
        }
        // The probabilities of 0, 1, 2, ... people; each person who may be present adds one entry.
        var counts = [1.0]
        for probability in present {
            counts.append(0)
            for count in counts.indices.reversed() {
                counts[count] *= 1 - probability
                if count > 0 { counts[count] += counts[count - 1] * probability }
            }
        }
        lower = Self.quantile(0.05, counts)
        upper = Self.quantile(0.95, counts)
    }

    /// Returns the smallest count whose cumulative probability reaches the given one.
    private static func quantile(_ probability: Double, _ counts: [Double]) -> Int {
        var sum = 0.0
        for (count, part) in counts.enumerated() {
            sum += part
            if sum >= probability - 1e-12 { return count }
        }
        return counts.count - 1
    }
}

extension Stay {
    /// Returns the probability, 0 to 1, that the subject was within a radius of the place, from the distance and its
    /// bounds; `nil` when the distance is unknown.
    ///
    /// - Parameter radius: centimetres.
    package func probability(within radius: Int64) -> Double? {
        guard let distance else { return nil }
        let estimate = distance.estimate
        // The bounds enclose 90 % of a log-normal distance. An exactly known distance has no width.
        let width = max(Double.log(estimate.upper / estimate.lower), 1e-6)
        return LogNormal(
            mean: Double.log(estimate.metres), deviation: width / (2 * LogNormal.reachOf90Percent)
        ).probability(within: Double(radius) / 100)
    }
}

/// Divides a subject who is received in several rooms of a floor among these rooms.
///
/// Gateways of another floor take nothing away: one that lies cannot empty a room on a floor that is not its own.
package enum RoomShares {
    /// Returns the probabilities, scaled down when they add up to more than one person.
    ///
    /// - Parameter probabilities: by room, the probability that the distance is one of that room.
    /// - Returns: the same probabilities, or scaled to a sum of 1 when the sum is larger.
    package static func normalized<Room: Hashable>(_ probabilities: [Room: Double]) -> [Room: Double] {
        let sum = probabilities.values.reduce(0, +)
        return sum > 1 ? probabilities.mapValues { $0 / sum } : probabilities
    }
}
