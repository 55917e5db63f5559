import BeaconModel
import RealModule

/// Regularity of one subject's reception, learned from the gaps between its advertisements. It determines the silence
/// that is too long for a subject that is still present.
///
/// Packets are lost in bursts, so a rule based on independent losses would end interactions far too early. Instead, the
/// longest gap of each minute is kept. It has a Gumbel distribution on a logarithmic scale whatever the distribution of
/// the gaps (E. J. Gumbel, "Statistics of Extremes"; S. Coles, "An Introduction to Statistical Modeling of Extreme
/// Values", 3.1). From this follows the gap that is exceeded in an hour with the wanted probability.
struct Reception: Codable, Sendable {
    /// Longest gap of a minute, as natural logarithm of seconds: mean, variance and number of minutes.
    private(set) var longestGaps = RunningMoments()
    /// Longest gap and elapsed time in the current minute, in seconds.
    private var longestGap = 0.0
    private var elapsed = 0.0
    private var packets = 0
    private var gaps = GapHistogram()
    /// Share of the packets that were received in the last minutes; `nil` in the first one.
    private(set) var heardShare: Double?

    /// Gap, in seconds, after which it was last received again although it had counted as departed.
    private var absence: Double?

    /// Length of a block in seconds.
    private static let block = 60.0
    /// Multiple of the silence from which a gap initially counts as an absence.
    private static let absenceFactor = 4.0
    /// Factor below which two absences count as equal. Equal absences are not absences but the pattern of reception.
    private static let sameness = 1.5
    /// Memory in minutes: a beacon that was moved is learned anew after an hour.
    private static let memory = 60.0
    /// Maximum gap between reports of one advertising event on different channels (Bluetooth Core Specification 5.4,
    /// Vol 6, Part B, 4.4.2.2: an interval is at least 20 ms).
    private static let oneEvent: Duration = .milliseconds(8)

    /// Adds the time since the previous advertisement, without times of deafness.
    ///
    /// - Returns: whether the silence must be computed anew.
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

    /// Records that the subject is received again after it was silent for too long. A gap slightly longer than the
    /// silence, or of a recurring length, shows that the silence was too short. Other gaps are absences.
    ///
    /// The gap can also recur with another subject: then the receiver listens at intervals. This does not apply to a
    /// subject that had been received for longer than the gap, as two people may take their breaks together.
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

    /// Mean time between advertising events, in seconds: the interval and the mean of the random delay, 5 ms (Bluetooth
    /// Core Specification 5.4, Vol 6, Part B, 4.4.2.2.1). `nil` while too little was received.
    var interval: Double? { gaps.interval }

    /// Whether the values read from a file are plausible.
    var isPlausible: Bool {
        longestGaps.isPlausible && gaps.isPlausible && (0.0...1e9).contains(longestGap) && (0.0...1e9).contains(elapsed)
            && (0...1_000_000_000).contains(packets) && (1e-9...1).contains(heardShare ?? 1)
            && (0.0...1e9).contains(absence ?? 0)
    }

    /// Returns the silence after which the subject counts as departed.
    ///
    /// It is at least twice the longest gap of this minute: a gap that has just occurred can occur again.
    func silence(_ rules: InteractionRules.Silence, prior: ReceptionPrior) -> Duration {
        let expected = longestGaps.combined(with: prior.moments(rules), weight: ReceptionPrior.weight)
        let seconds = max(rules.returnLevel(expected), 2 * longestGap)
        guard seconds < 1e6 else { return rules.longest }
        return min(max(.milliseconds(Int64((1000 * seconds).rounded())), rules.shortest), rules.longest)
    }
}

/// Assumptions about a subject's gaps before its own are known: those learned from other subjects, and before that the
/// configured silence.
struct ReceptionPrior: Codable, Sendable {
    private var longestGaps = RunningMoments()
    /// Latest gap, in seconds, after which any subject was received again although it had counted as departed.
    fileprivate(set) var absence: Double?

    /// Weight of the prior, in minutes of a subject's own.
    static let weight = 2.0
    /// Weight of the configuration, in minutes of other subjects.
    private static let configurationWeight = 5.0
    private static let memory = 500.0

    /// Adds a minute of some subject.
    mutating func add(_ logarithm: Double) { longestGaps.add(logarithm, memory: Self.memory) }

    func moments(_ rules: InteractionRules.Silence) -> (mean: Double, variance: Double) {
        longestGaps.combined(with: rules.configured, weight: Self.configurationWeight)
    }
}

extension ReceptionPrior {
    /// Whether the values read from a file are plausible.
    var isPlausible: Bool { longestGaps.isPlausible && (0.0...1e9).contains(absence ?? 0) }
}

/// Mean and variance with a limited memory.
struct RunningMoments: Equatable, Sendable, Codable {
    private(set) var count = 0.0
    private(set) var mean = 0.0
    private(set) var variance = 0.0

    /// Whether the values read from a file are plausible.
    var isPlausible: Bool {
        (0.0...1e6).contains(count) && (-50.0...50).contains(mean) && (0.0...1e4).contains(variance)
    }

    mutating func add(_ value: Double, memory: Double) {
        count = min(count + 1, memory)
        let difference = value - mean
        mean += difference / count
        variance += (difference * (value - mean) - variance) / count
    }

    /// Returns the moments combined with prior ones that count as `weight` values (Gelman et al., "Bayesian Data
    /// Analysis", 3.3).
    ///
    /// A mean above the prior one increases the variance. A mean below it, from a subject that is received more
    /// regularly than assumed, does not reduce the certainty.
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
    /// Initial spread of the logarithm of a minute's longest gap.
    private static let assumedDeviation = 0.5
    /// Scale of a Gumbel distribution per standard deviation: sqrt(6)/π.
    private static let scalePerDeviation = 0.779_696_801_233_675_9
    /// Distance of the mean above the mode, in scales: Euler's constant.
    private static let meanOverMode = 0.577_215_664_901_532_9

    /// Distance above the mode, in scales, of the level that a minute exceeds so rarely that an hour does with
    /// `falseEndProbability`.
    private var reach: Double { Double.log(60 / falseEndProbability) }

    /// Moments for which the return level is `assumed`.
    var configured: (mean: Double, variance: Double) {
        let scale = Self.assumedDeviation * Self.scalePerDeviation
        return (
            Double.log(assumed.inSeconds) - scale * (reach - Self.meanOverMode),
            Self.assumedDeviation * Self.assumedDeviation
        )
    }

    /// Returns the return level in seconds; at most 1e6.
    func returnLevel(_ moments: (mean: Double, variance: Double)) -> Double {
        let scale = moments.variance.squareRoot() * Self.scalePerDeviation
        return Double.exp(min(moments.mean + scale * (reach - Self.meanOverMode), 13.8))
    }
}
