import BeaconModel

extension AutomaticCalibration {
    /// Speed and range of the calibration, with its prior assumptions.
    public struct Rules: Equatable, Sendable {
        /// Whether fits are applied.
        public var isEnabled = true
        /// Interval at which values are fitted, by the time of the data; 1 s to a day. It holds some hundred packets of
        /// a beacon that advertises about once a second: their own fading averages out, and that caused by people
        /// walking about does in part.
        public var period: Duration = .seconds(5 * 60)
        /// Time in which a period's weight falls to 1/e. It is long compared with meetings and lunch, whose people
        /// attenuate, and short compared with a day, so that a changed antenna is learned before the next one.
        public var memory: Duration = .seconds(3 * 60 * 60)
        /// Pause in learning after a rollback, counted in periods with data. It fills the memory with data from after
        /// the rollback.
        public var pause: Duration = .seconds(60 * 60)
        /// Maximum disorder of reports from several adapters. A time that is further back means that the clock was set
        /// back.
        public var largestDisorder: Duration = .seconds(10)

        /// Creates the default rules.
        public init() {}

        /// Period in whole microseconds.
        var periodMicroseconds: Int64 { Int64(min(max(period.inSeconds, 1), 86_400) * 1e6) }

        /// Factor by which a weight decays in a period.
        var retention: Double { max(0, 1 - Double(periodMicroseconds) / 1e6 / max(1, memory.inSeconds)) }

        var pausedPeriods: Int {
            let periods = pause.inSeconds / (Double(periodMicroseconds) / 1e6)
            return Int(min(max(periods.rounded(.up), 1), 100_000))
        }
    }

    /// Constants that are not configurable, in dB unless stated otherwise.
    enum Constants {
        static let mostBeacons = 256
        static let mostAdapters = 16
        /// Minimum distance in metres. Nearer antennas couple, and a centimetre changes the RSSI by a decibel.
        static let nearest = 0.5

        /// Bounds of offsets. Receivers of one kind differ by some dB, with another antenna or a metal case by 10. A
        /// fit beyond that has found something else.
        static let offsetBounds = -12.0...12.0
        /// Bounds of the exponent, from a corridor that guides waves to a floor full of partitions (T. S. Rappaport,
        /// "Wireless Communications", table 4.2: 1.6 to 6; environments above 4 there are obstructed, which is the
        /// beacon's effect here).
        static let exponentBounds = 1.2...4.0
        /// Maximum changes in a period. They move distances by no more than about a tenth, so that no record has a
        /// jump.
        static let offsetStep = 1.0
        static let exponentStep = 0.1

        /// Prior standard deviations.
        static let offsetDeviation = 6.0
        static let exponentDeviation = 0.5
        /// Standard deviation of the effect of a beacon's walls, mounting and battery, which does not average out. It
        /// determines the weight of one beacon: with four of them the mean is known to 2.5 dB.
        static let beaconDeviation = 5.0
        /// Standard deviation of one period's mean of one beacon, due to people and doors.
        static let fading = 4.0
        /// Standard deviation of the permanent difference between two antennas of one gateway for one beacon, due to
        /// multipath and antenna patterns.
        static let antennaDeviation = 2.0
        /// Number of packets at which a period counts half. Single packets vary by 5.7 dB (Rayleigh fading in dB:
        /// 5.57), with twice the variance of `fading`. A period with two packets therefore counts half, and one with
        /// hundreds counts once.
        static let packetsOfHalfWeight = 2.0

        /// Huber's constant: 95 % efficient for normal data (P. J. Huber, "Robust Statistics", 4.5). A beacon that is
        /// further off has no more influence than one that is off by this many standard deviations.
        static let huber = 1.345
        /// Rounds of reweighting. Each round about halves the remaining error; after this many it is far below 0.01 dB.
        static let rounds = 15
        /// Minimum weight, in periods, of a beacon's remembered means: that of half a period.
        static let leastWeight = 0.5
        /// Minimum ratio of the largest to the smallest distance. With less spread, the data distinguishes the exponent
        /// from walls no better than the prior does.
        static let leastSpread = 1.5

        /// Residual at which the held-out error changes from quadratic to linear: two standard deviations of
        /// `beaconDeviation`. A beacon behind a lift therefore does not decide alone.
        static let errorKnee = 10.0
        /// Minimum weight of one period for holding a beacon out: a single packet is not enough.
        static let leastHeldOutWeight = 0.3
        /// Margin for a candidate step. Errors are compared after adding `fading` in squares: when they are smaller
        /// than `fading`, the people in one period cause most of the difference. Equally good values differ by this
        /// much.
        static let candidateMargin = 0.2
        /// Margin for a rollback. It is larger, because a rollback costs an hour: with errors of 5 dB, it corresponds
        /// to a shift of all beacons by 3.7 dB, or half a distance. In simulated buildings with walls of 5 dB and
        /// fading of 3 dB there are no needless rollbacks with eight beacons, one in one to four weeks with four, and
        /// one every other day with two. With a margin of 0.5 there are several a day with four.
        static let rollbackMargin = 1.0
        /// Consecutive periods with worse applied values before a rollback.
        static let worsePeriods = 2
        /// Consecutive periods in which the applied values are the best before a rollback restores them.
        static let confirmingPeriods = 3

        /// Change of a beacon's mean that counts as a jump: twice the effect of people and doors on one period's mean.
        /// Moving a beacon to another room changes it by more.
        static let jump = 8.0
        /// Difference within which a suspect counts as back in its place: half a jump, so that it does not alternate
        /// between the states.
        static let jumpBack = 4.0
        /// Limit for the deviation of single packets. It is more than a jump, so that a moved beacon is detected. With
        /// Rayleigh fading, 6 % of packets are further below their mean, by 4 dB: the limit shifts means by 0.3 dB in
        /// all, for all beacons alike.
        static let outlier = 12.0
        /// Consecutive periods of a jump before a beacon becomes a suspect: half an hour. A meeting in front of a
        /// beacon can last longer but is rare; chance alone (a normal deviation of 4 dB) causes it once in 10^8
        /// periods.
        static let jumpPeriods = 6
        /// Minimum weight of remembered means for detecting a jump.
        static let leastBaseline = 2.0
        /// Minimum number of beacons for detecting a moved one. With fewer it is unknown which one has moved.
        static let leastWitnesses = 3
    }
}
