import BeaconModel

extension AutomaticCalibration {
    /// How fast and how far the calibration may move, and what it takes for likely before it has heard anything.
    public struct Rules: Equatable, Sendable {
        public var isEnabled = true
        /// How often values are fitted, by the time of the data; 1 s to a day. Some hundred packets of a beacon that
        /// advertises every second or so: their own fading averages out, that of people who walk about partly does.
        public var period: Duration = .seconds(5 * 60)
        /// A period's weight falls to 1/e in this time. Long against meetings and lunch, whose people attenuate, and
        /// short against a day, so that a changed antenna is learned anew before the next one.
        public var memory: Duration = .seconds(3 * 60 * 60)
        /// How long nothing is learned after a rollback, in periods that held data: a memory of the time after it.
        public var pause: Duration = .seconds(60 * 60)
        /// Reports of several adapters come a little out of order. A time that is further back says that the clock
        /// was set back.
        public var largestDisorder: Duration = .seconds(10)

        public init() {}

        /// The period in whole microseconds.
        var periodMicroseconds: Int64 { Int64(min(max(period.inSeconds, 1), 86_400) * 1e6) }

        /// What remains of a weight after a period.
        var retention: Double { max(0, 1 - Double(periodMicroseconds) / 1e6 / max(1, memory.inSeconds)) }

        var pausedPeriods: Int {
            let periods = pause.inSeconds / (Double(periodMicroseconds) / 1e6)
            return Int(min(max(periods.rounded(.up), 1), 100_000))
        }
    }

    /// What isn't a matter of taste. dB unless it is said.
    enum Constants {
        static let mostBeacons = 256
        static let mostAdapters = 16
        /// Nearer than this, in metres, antennas couple, and a centimetre is a decibel.
        static let nearest = 0.5

        /// Receivers of one kind differ by some dB, with another antenna or a metal case by 10. A fit that says more
        /// has found something else.
        static let offsetBounds = -12.0...12.0
        /// From a corridor that guides waves to a floor full of partitions (T. S. Rappaport, "Wireless Communications",
        /// table 4.2: 1.6 to 6; what is above 4 there is obstructed, which is the beacon's effect here).
        static let exponentBounds = 1.2...4.0
        /// No period moves distances by more than a tenth or so, so that nobody's record has a jump.
        static let offsetStep = 1.0
        static let exponentStep = 0.1

        /// Prior standard deviations.
        static let offsetDeviation = 6.0
        static let exponentDeviation = 0.5
        /// Of a beacon's walls, mounting and battery, which don't average out. It is the weight of one beacon: with four
        /// of them the mean is known to 2.5 dB.
        static let beaconDeviation = 5.0
        /// Of one period's mean of one beacon: people and doors.
        static let fading = 4.0
        /// What two antennas of one gateway hear differently of one beacon for good: multipath, and pattern.
        static let antennaDeviation = 2.0
        /// Single packets vary by 5.7 dB (Rayleigh fading in dB: 5.57), as two times the variance of `fading`. A period
        /// with two packets therefore counts half, one with hundreds counts once.
        static let packetsOfHalfWeight = 2.0

        /// Huber's constant: 95 % efficient if all is normal (P. J. Huber, "Robust Statistics", 4.5), while a beacon that
        /// is off by more pulls no harder than one that is off by this many standard deviations.
        static let huber = 1.345
        /// Reweighting halves the remaining error about each time; after so many rounds it is far below 0.01 dB.
        static let rounds = 15
        /// Weight, in periods, from which remembered means of a beacon count: half a period's.
        static let leastWeight = 0.5
        /// Distances that differ by less tell the exponent from walls no better than the prior does.
        static let leastSpread = 1.5

        /// In the held-out error a beacon counts by its square up to two standard deviations of `beaconDeviation`, and
        /// linearly beyond, so that one behind a lift doesn't decide alone.
        static let errorKnee = 10.0
        /// Weight of one period from which it can hold a beacon out: one packet says nothing.
        static let leastHeldOutWeight = 0.3
        /// Errors are compared with `fading` added, in squares: where they are smaller, one period's people make most of
        /// the difference. Equally good values differ by so much.
        static let candidateMargin = 0.2
        /// Larger, because a rollback costs an hour: with errors of 5 dB, a shift of all beacons by 3.7 dB, or half a
        /// distance. In simulated buildings with walls of 5 dB and fading of 3 dB nothing is taken back needlessly with
        /// eight beacons, once in one to four weeks with four, and every other day with two. With 0.5 it is several
        /// times a day with four.
        static let rollbackMargin = 1.0
        /// Periods running in which the applied values are worse before they are taken back.
        static let worsePeriods = 2
        /// Periods running in which the applied values are the best before they are what is gone back to.
        static let confirmingPeriods = 3

        /// Twice what people and doors do to one period's mean; a beacon that is moved to another room does more.
        static let jump = 8.0
        /// Back within this a beacon is where it was: half, so that it doesn't come and go as a suspect.
        static let jumpBack = 4.0
        /// More than a jump, so that a beacon that was moved is found. Of packets that fade (Rayleigh) 6 % are further below their
        /// mean, by 4 dB: together 0.3 dB, of all beacons alike.
        static let outlier = 12.0
        /// Periods running that a jump lasts: half an hour. A meeting before a beacon may last longer and is rare; chance
        /// alone (a normal deviation of 4 dB) does it once in 10^8 periods.
        static let jumpPeriods = 6
        /// Weight of remembered means from which a jump can be seen.
        static let leastBaseline = 2.0
        /// With fewer beacons it can't be told which one has moved.
        static let leastWitnesses = 3
    }
}
