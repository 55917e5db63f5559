public import BeaconModel
import RealModule

/// Distance between two subjects, when the distance of each from the gateway is known but not its direction.
///
/// The angle θ between them is taken as uniform in [0, π], and the two distances as independent and log-normal. By the
/// law of cosines `D² = d1² + d2² - 2 d1 d2 cos θ`, so that for given distances
///
///     P(D <= r) = arccos((d1² + d2² - r²) / (2 d1 d2)) / π
///
/// which is 0 when `|d1 - d2| > r` and 1 when `d1 + d2 <= r`. It is averaged over 16 x 16 pairs of distances, the
/// middles of parts of each distribution, finer in the tails and with 5 % and 95 % among them. Compared with 160 x 160
/// equal parts, for medians of 0.3 to 8 m, deviations of the logarithm of 0.1 to 1 and radii of 1 to 3 m, the
/// probability is accurate to 0.005, and to 0.0005 on average; `lower` and `upper` to 5 %, and `metres` to 1 %, or 9 %
/// when one subject is almost at the gateway. (Gauss-Hermite quadrature with 9 x 9 points is off by up to 0.08 in
/// probability: the integrand has edges.)
extension MutualDistance {
    /// Creates the distance; `nil` when an estimate is invalid: its distances must be positive, finite and in order.
    public init?(_ one: DistanceEstimate, _ other: DistanceEstimate) {
        guard let one = DistanceQuantiles(one), let other = DistanceQuantiles(other) else { return nil }
        self.init(one, other)
    }

    init(_ one: DistanceQuantiles, _ other: DistanceQuantiles) {
        func quantile(_ probability: Double) -> Double {
            var (below, above) = (0.0, one.farthest + other.farthest)
            // Accurate to 10^-7 of the greatest possible distance.
            for _ in 0..<24 {
                let middle = (below + above) / 2
                if one.probability(ofDistanceTo: other, within: middle) < probability {
                    below = middle
                } else {
                    above = middle
                }
            }
            return above
        }
        self.init(metres: quantile(0.5), lower: quantile(0.05), upper: quantile(0.95))
    }

    /// Returns the probability, 0 to 1, that two subjects are within `radius` metres of each other.
    ///
    /// It is 0 when an estimate is invalid.
    public static func probability(
        within radius: Double, _ one: DistanceEstimate, _ other: DistanceEstimate
    ) -> Double {
        guard let one = DistanceQuantiles(one), let other = DistanceQuantiles(other) else { return 0 }
        return one.probability(ofDistanceTo: other, within: radius)
    }

    /// Returns the probability, 0 to 1, that two subjects are within `radius` metres of each other, each at a known
    /// distance from a place of its own, in unknown directions.
    ///
    /// The distance of the first from the place of the second is taken for 16 directions, the middles of equal parts of
    /// a half circle. Each then gives the probability for two subjects at one place. It is 0 when an estimate is
    /// invalid.
    ///
    /// - Parameter separation: distance between the two places, in metres; 0 when they are the same.
    public static func probability(
        within radius: Double, _ one: DistanceEstimate, _ other: DistanceEstimate, separation: Double
    ) -> Double {
        guard separation > 0 else { return probability(within: radius, one, other) }
        guard let one = DistanceQuantiles(one), let other = DistanceQuantiles(other) else { return 0 }
        let directions = 16
        var sum = 0.0
        for direction in 0..<directions {
            let cosine = Double.cos((Double(direction) + 0.5) / Double(directions) * .pi)
            let seen = one.seen(from: separation, cosine: cosine)
            sum += seen.probability(ofDistanceTo: other, within: radius)
        }
        return min(sum / Double(directions), 1)
    }
}

/// Middles of 16 parts of a log-normal distance, in metres, nearest first.
struct DistanceQuantiles: Sendable {
    private var metres: [16 of Double]

    /// Probabilities of the parts from the median outwards, which add up to one half, and the quantiles of the standard
    /// normal distribution in their middles, at 0.545, 0.635 and so on to 0.995.
    private static let weights: [8 of Double] = [0.09, 0.09, 0.085, 0.085, 0.08, 0.04, 0.02, 0.01]
    private static let normal: [8 of Double] = [
        0.113038540645, 0.34512553147, 0.590284394387, 0.868720547231, 1.226528120037, 1.644853626951, 2.053748910632,
        2.575829303549,
    ]
    /// Plausible distances in metres. Values beyond are no distances to a radio, and squares stay far from the limits
    /// of floating-point numbers.
    private static let plausible = 1e-6...1e6

    /// Creates the parts; `nil` when the distances of the estimate are not positive, plausible and in order.
    init?(_ estimate: DistanceEstimate) {
        guard Self.plausible.contains(estimate.metres), Self.plausible.contains(estimate.lower),
            Self.plausible.contains(estimate.upper), estimate.lower <= estimate.upper
        else { return nil }
        let deviation = estimate.logDeviation
        metres = .init(repeating: estimate.metres)
        (nearest, farthest) = (estimate.metres, estimate.metres)
        for index in 0..<8 {
            let factor = Double.exp(deviation * Self.normal[index])
            metres[8 + index] = estimate.metres * factor
            metres[7 - index] = estimate.metres / factor
        }
        nearest = metres[0]
        farthest = metres[15]
    }

    private static func weight(_ part: Int) -> Double { weights[part < 8 ? 7 - part : part - 8] }

    /// Shortest and longest of all distances. As seen from another place, the parts are not sorted.
    private(set) var nearest: Double
    private(set) var farthest: Double

    /// Returns the same parts as distances from another place.
    ///
    /// - Parameters:
    ///   - separation: distance to the other place, in metres.
    ///   - cosine: cosine of the angle between the directions to the other place and to the subject.
    func seen(from separation: Double, cosine: Double) -> DistanceQuantiles {
        var seen = self
        (seen.nearest, seen.farthest) = (.infinity, 0)
        for index in metres.indices {
            let square =
                metres[index] * metres[index] + separation * separation - 2 * metres[index] * separation * cosine
            let distance = max(square, 1e-12).squareRoot()
            seen.metres[index] = distance
            seen.nearest = min(seen.nearest, distance)
            seen.farthest = max(seen.farthest, distance)
        }
        return seen
    }

    /// Returns the probability that a subject at this distance from the gateway is within `radius` metres of one at the
    /// other distance.
    func probability(ofDistanceTo other: DistanceQuantiles, within radius: Double) -> Double {
        // Most pairs are at different distances.
        if nearest - other.farthest > radius || other.nearest - farthest > radius { return 0 }
        if farthest + other.farthest <= radius { return 1 }
        var sum = 0.0
        for first in metres.indices {
            let one = metres[first]
            // Within the radius for any direction and any distance of the other.
            if one + other.farthest <= radius {
                sum += Self.weight(first) * .pi
                continue
            }
            var angles = 0.0
            for second in other.metres.indices {
                let two = other.metres[second]
                // Only pairs that depend on the direction need an angle, which is most of the work.
                if abs(one - two) >= radius { continue }
                guard one + two > radius else {
                    angles += Self.weight(second) * .pi
                    continue
                }
                let cosine = (one * one + two * two - radius * radius) / (2 * one * two)
                angles += Self.weight(second) * Double.acos(min(max(cosine, -1), 1))
            }
            sum += Self.weight(first) * angles
        }
        return min(sum / .pi, 1)
    }
}

extension DistanceEstimate {
    /// Standard deviation of the natural logarithm of the distance.
    var logDeviation: Double { Double.log(upper / lower) / (2 * LogNormal.reachOf90Percent) }
}
