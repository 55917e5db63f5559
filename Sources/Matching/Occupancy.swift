import BeaconModel
import Proximity
import RealModule

/// How many are in a room when of each it is only known how probable it is: the Poisson binomial distribution.
package struct Occupancy: Equatable, Sendable {
    package var expected: Double
    /// There are between `lower` and `upper` with a probability of 90 % at least.
    package var lower: Int
    package var upper: Int

    /// Up to so many the distribution is computed; above it is as good as normal (Hodges and Le Cam, "The Poisson
    /// approximation to the Poisson binomial distribution", 1960, have the error).
    private static let mostExact = 1000

    /// - Parameter probabilities: of each, from 0 to 1.
    package init(_ probabilities: [Double]) {
        let present = probabilities.map { min(max($0.isNaN ? 0 : $0, 0), 1) }.filter { $0 > 0 }
        expected = present.reduce(0, +)
        guard present.count <= Self.mostExact else {
            let deviation = present.reduce(0) { $0 + $1 * (1 - $1) }.squareRoot() * LogNormal.reachOf90Percent
            lower = max(0, Int((expected - deviation).rounded(.down)))
            upper = min(present.count, Int((expected + deviation).rounded(.up)))
            return
        }
        // The probabilities of 0, 1, 2, ..., one more with each who may be there.
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

    /// The least count up to which there is so much probability.
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
    /// The probability, 0 to 1, that the subject was within a radius of the place, by the distance and its bounds; `nil`
    /// when the distance isn't known.
    ///
    /// - Parameter radius: centimetres.
    package func probability(within radius: Int64) -> Double? {
        guard let distance else { return nil }
        let estimate = distance.estimate
        // The bounds hold 90 % of a log-normal distance; one that is known exactly has no width.
        let width = max(Double.log(estimate.upper / estimate.lower), 1e-6)
        return LogNormal(
            mean: Double.log(estimate.metres), deviation: width / (2 * LogNormal.reachOf90Percent)
        ).probability(within: Double(radius) / 100)
    }
}

/// Divides somebody who is heard in several rooms of a floor among them.
///
/// What gateways of another floor say takes nothing away: one that lies empties no room of a floor that isn't its own.
package enum RoomShares {
    /// - Parameter probabilities: by room, that the distance is one of that room.
    /// - Returns: the same, made less where together they are more than one person.
    package static func normalized<Room: Hashable>(_ probabilities: [Room: Double]) -> [Room: Double] {
        let sum = probabilities.values.reduce(0, +)
        return sum > 1 ? probabilities.mapValues { $0 / sum } : probabilities
    }
}
