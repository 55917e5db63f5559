import BeaconModel

/// Rules for when two badges are too near each other.
public struct SocialDistanceRules: Equatable, Sendable {
    /// Distance in metres, 0.1 to 100.
    public var distance = 2.0
    /// Minimum probability that the badges are within the distance of each other, 0.01 to 1.
    ///
    /// With unknown directions, two badges at the same distance `d` from the gateway are within `r` of each other with
    /// a probability of about `r / (π d)`: for one half, both must be within seven tenths of `r`.
    public var probability = 0.5
    /// Time for which the distance must be probable before an alert begins, and improbable before it ends; 0 to an
    /// hour. It should be longer than two people need to pass each other.
    public var hold: Duration = .seconds(10)
    /// Maximum number of badges compared with each other, 2 to 256: those most probably within the distance of the
    /// gateway. The cost of an update grows quadratically: with 64 there are 2016 pairs.
    public var capacity = 64
    /// Maximum number of simultaneous alerts. Further pairs are counted and not tracked.
    public var mostPairs = 512
    /// Maximum disorder. A time that is further back means that the clock was set back.
    public var largestDisorder: Duration = .seconds(10)

    /// Creates the default rules.
    public init() {}

    /// Probability below which an alert ends. A probability that varies by a sixth about its mean does not end it.
    public var releaseProbability: Double { 0.7 * probability }

    /// Nearest rules within the bounds.
    var bounded: SocialDistanceRules {
        var rules = self
        rules.distance = distance.isFinite ? min(max(distance, 0.1), 100) : 2
        rules.probability = probability.isFinite ? min(max(probability, 0.01), 1) : 0.5
        rules.hold = min(max(hold, .zero), .seconds(3600))
        rules.capacity = min(max(capacity, 2), 256)
        rules.mostPairs = min(max(mostPairs, 1), 65_536)
        return rules
    }

    /// Lower bound of the distance from the gateway, in metres, above which a badge is probably near no other.
    ///
    /// For given `d1 > r`, whatever `d2` is, `P(D <= r) <= arcsin(r / d1) / π <= r / (2 d1)`: the tangent to the circle
    /// around the first badge. With `d1` beyond its lower bound in 95 % of cases, `P <= 0.05 + 0.95 r / (2 lower)`. The
    /// error of the average adds 0.02.
    var farthestLowerBound: Double {
        let rest = probability - 0.07
        return rest > 0 ? distance * max(1, 0.95 / (2 * rest)) : .infinity
    }
}
