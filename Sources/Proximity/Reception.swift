import BeaconModel
import RealModule

/// How regularly one subject is heard, learnt from the gaps between its advertisements; says which silence is too long
/// for somebody who is still here.
///
/// Packets are lost in bursts, so that a rule from independent losses ends far too early. Instead the longest gap of
/// each minute is kept, which has a Gumbel distribution on a logarithmic scale whatever the law of the gaps is
/// (E. J. Gumbel, "Statistics of Extremes"; S. Coles, "An Introduction to Statistical Modeling of Extreme Values", 3.1),
/// and of that the gap that is exceeded in an hour with the wanted probability.
struct Reception: Codable, Sendable {
    /// The longest gap of a minute, as natural logarithm of seconds: mean, variance, and of how many minutes.
    private(set) var longestGaps = RunningMoments()
    /// In the minute that goes on, in seconds.
    private var longestGap = 0.0
    private var elapsed = 0.0
    private var packets = 0
    private var gaps = GapHistogram()
    /// Share of the packets that were heard, of the last minutes; `nil` in the first one.
    private(set) var heardShare: Double?

    /// The gap after which it was last heard again although it had been said to have left, in seconds.
    private var absence: Double?

    /// Seconds.
    private static let block = 60.0
    /// A gap this many times the silence is an absence, at first.
    private static let absenceFactor = 4.0
    /// Absences that differ by less than this factor are no absences: that is how it is heard.
    private static let sameness = 1.5
    /// Memory in minutes: a beacon that was hung up elsewhere is known anew after an hour.
    private static let memory = 60.0
    /// Reports closer together are of one advertising event, on another channel (Bluetooth Core Specification 5.4,
    /// Vol 6, Part B, 4.4.2.2: an interval is at least 20 ms).
    private static let oneEvent: Duration = .milliseconds(8)

    /// Takes note of the time since the advertisement before, without that in which nothing could be heard.
    ///
    /// - Returns: whether another silence is called for.
    mutating func add(gap: Duration, to prior: inout ReceptionPrior) -> Bool {
        guard gap >= Self.oneEvent else { return false }
        let seconds = gap.inSeconds
        packets += 1
        elapsed += seconds
        gaps.add(gap)
        let isLongest = seconds > longestGap
        longestGap = max(longestGap, seconds)
        guard elapsed >= Self.block else { return isLongest }
        let value = Double.log(max(longestGap, 0.02))
        longestGaps.add(value, memory: Self.memory)
        prior.add(value)
        if let interval = gaps.interval {
            let share = min(1, Double(packets) * interval / elapsed)
            heardShare = heardShare.map { $0 + (share - $0) / min(longestGaps.count, Self.memory) } ?? share
        }
        longestGap = 0
        elapsed = 0
        packets = 0
        return true
    }

    /// Takes note that the subject is heard again although it had been silent for too long: a gap a little longer than
    /// that, or of a length that comes again and again, says that the silence was too short. Others are absences.
    ///
    /// The gap may come again with another subject: then it is the receiver that hears at intervals. But that says
    /// nothing of a subject that had been heard for longer than the gap, as two people take their breaks together.
    mutating func returned(after gap: Duration, silence: Duration, to prior: inout ReceptionPrior) {
        let seconds = gap.inSeconds
        func isLike(_ before: Double?) -> Bool {
            before.map { max($0, seconds) <= Self.sameness * min($0, seconds) } ?? false
        }
        let isReceivers = isLike(prior.absence) && longestGaps.count * Self.block + elapsed < seconds
        let isLikeBefore = isLike(absence) || isReceivers
        absence = seconds
        prior.absence = seconds
        guard seconds <= Self.absenceFactor * silence.inSeconds || isLikeBefore else { return }
        _ = add(gap: gap, to: &prior)
    }

    /// Mean time between advertising events, in seconds: the interval and the mean of the random delay, 5 ms
    /// (Bluetooth Core Specification 5.4, Vol 6, Part B, 4.4.2.2.1). `nil` while too little was heard.
    var interval: Double? { gaps.interval }

    /// Whether what was read of it can be.
    var isPlausible: Bool {
        longestGaps.isPlausible && gaps.isPlausible && (0.0...1e9).contains(longestGap) && (0.0...1e9).contains(elapsed)
            && (0...1_000_000_000).contains(packets) && (1e-9...1).contains(heardShare ?? 1)
            && (0.0...1e9).contains(absence ?? 0)
    }

    /// The silence after which the subject has left.
    ///
    /// At least twice the longest gap of this minute: what has just happened can happen again.
    func silence(_ rules: InteractionRules.Silence, prior: ReceptionPrior) -> Duration {
        let expected = longestGaps.combined(with: prior.moments(rules), weight: ReceptionPrior.weight)
        let seconds = max(rules.returnLevel(expected), 2 * longestGap)
        guard seconds < 1e6 else { return rules.longest }
        return min(max(.milliseconds(Int64((1000 * seconds).rounded())), rules.shortest), rules.longest)
    }
}

/// What is assumed of a subject's gaps before its own are known: what was learnt of others, and before that the
/// configured silence.
struct ReceptionPrior: Codable, Sendable {
    private var longestGaps = RunningMoments()
    /// The latest gap after which some subject was heard again although it had been said to have left, in seconds.
    fileprivate(set) var absence: Double?

    /// Minutes of a subject's own that the prior counts as.
    static let weight = 2.0
    /// Minutes of others that the configuration counts as.
    private static let configurationWeight = 5.0
    private static let memory = 500.0

    /// Takes a minute of some subject in.
    mutating func add(_ logarithm: Double) { longestGaps.add(logarithm, memory: Self.memory) }

    func moments(_ rules: InteractionRules.Silence) -> (mean: Double, variance: Double) {
        longestGaps.combined(with: rules.configured, weight: Self.configurationWeight)
    }
}

extension ReceptionPrior {
    /// Whether what was read of it can be.
    var isPlausible: Bool { longestGaps.isPlausible && (0.0...1e9).contains(absence ?? 0) }
}

/// Mean and variance with a limited memory.
struct RunningMoments: Equatable, Sendable, Codable {
    private(set) var count = 0.0
    private(set) var mean = 0.0
    private(set) var variance = 0.0

    /// Whether what was read of it can be.
    var isPlausible: Bool {
        (0.0...1e6).contains(count) && (-50.0...50).contains(mean) && (0.0...1e4).contains(variance)
    }

    mutating func add(_ value: Double, memory: Double) {
        count = min(count + 1, memory)
        let difference = value - mean
        mean += difference / count
        variance += (difference * (value - mean) - variance) / count
    }

    /// These and assumed ones that count as `weight` values (Gelman et al., "Bayesian Data Analysis", 3.3).
    ///
    /// A mean above the assumed one makes the variance greater; one below it, a subject that is heard more regularly
    /// than was thought, is no reason to be less sure.
    func combined(with prior: (mean: Double, variance: Double), weight: Double) -> (mean: Double, variance: Double) {
        let total = count + weight
        let difference = max(0, mean - prior.mean)
        return (
            (count * mean + weight * prior.mean) / total,
            (count * variance + weight * prior.variance + count * weight / total * difference * difference) / total
        )
    }
}

extension InteractionRules.Silence {
    /// Spread of the logarithm of a minute's longest gap that is assumed at first.
    private static let assumedDeviation = 0.5
    /// sqrt(6)/π: the scale of a Gumbel distribution for its standard deviation.
    private static let scalePerDeviation = 0.779_696_801_233_675_9
    /// Euler's constant: how far the mean lies above the mode, in scales.
    private static let meanOverMode = 0.577_215_664_901_532_9

    /// How many scales above the mode the level lies that a minute exceeds so seldom that an hour does with
    /// `falseEndProbability`.
    private var reach: Double { Double.log(60 / falseEndProbability) }

    /// Moments by which the return level is `assumed`.
    var configured: (mean: Double, variance: Double) {
        let scale = Self.assumedDeviation * Self.scalePerDeviation
        return (
            Double.log(assumed.inSeconds) - scale * (reach - Self.meanOverMode),
            Self.assumedDeviation * Self.assumedDeviation
        )
    }

    /// Seconds; at most 1e6.
    func returnLevel(_ moments: (mean: Double, variance: Double)) -> Double {
        let scale = moments.variance.squareRoot() * Self.scalePerDeviation
        return Double.exp(min(moments.mean + scale * (reach - Self.meanOverMode), 13.8))
    }
}
