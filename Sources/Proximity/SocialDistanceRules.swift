import BeaconModel

/// When two badges are too near each other.
public struct SocialDistanceRules: Equatable, Sendable {
    /// Metres, 0.1 to 100.
    public var distance = 2.0
    /// That they are within the distance of each other, 0.01 to 1.
    ///
    /// With unknown directions two at the same distance `d` of the gateway are within `r` of each other with a probability
    /// of about `r / (π d)`: one half takes both within seven tenths of `r`.
    public var probability = 0.5
    /// How long it has to be so probable before it begins, and so improbable before it ends; 0 to an hour. Longer than
    /// it takes to pass each other.
    public var hold: Duration = .seconds(10)
    /// How many badges are compared with each other, 2 to 256: those that are most probably within the distance of the
    /// gateway. The cost of an update grows by its square: with 64 there are 2016 pairs.
    public var capacity = 64
    /// How many pairs can be near each other at once. Further ones are counted and not followed.
    public var mostPairs = 512
    /// A time that is further back says that the clock was set back.
    public var largestDisorder: Duration = .seconds(10)

    public init() {}

    /// Below this it ends: so much lower that a probability that varies by a sixth about its mean doesn't end it.
    public var releaseProbability: Double { 0.7 * probability }

    /// The nearest rules within the bounds.
    var bounded: SocialDistanceRules {
        var rules = self
        rules.distance = distance.isFinite ? min(max(distance, 0.1), 100) : 2
        rules.probability = probability.isFinite ? min(max(probability, 0.01), 1) : 0.5
        rules.hold = min(max(hold, .zero), .seconds(3600))
        rules.capacity = min(max(capacity, 2), 256)
        rules.mostPairs = min(max(mostPairs, 1), 65_536)
        return rules
    }

    /// Who is hardly ever nearer to the gateway than this, in metres, isn't probably near anybody.
    ///
    /// For given `d1 > r`, whatever `d2` is, `P(D <= r) <= arcsin(r / d1) / π <= r / (2 d1)`: the tangent to the circle
    /// around the one. With `d1` beyond its lower bound in 95 % of cases, `P <= 0.05 + 0.95 r / (2 lower)`. 0.02 is for
    /// the error of the average.
    var farthestLowerBound: Double {
        let rest = probability - 0.07
        return rest > 0 ? distance * max(1, 0.95 / (2 * rest)) : .infinity
    }
}
