public import BeaconModel

/// Rules for when interactions begin, are reported and end.
public struct InteractionRules: Equatable, Sendable {
    /// Silence after which a subject counts as departed.
    public var silence = Silence()
    /// Exceptions to `silence` for single beacons.
    public var silenceOfBeacons: [BeaconID: Silence] = [:]
    /// Conversion of RSSI to distance.
    public var distance = DistanceRules()
    /// Interval at which a lasting interaction is reported.
    public var updateInterval: Duration = .seconds(30)
    /// Maximum length of an interaction. A longer one is closed and continued, so that a consumer's interval join is
    /// bounded.
    public var longest: Duration = .seconds(30 * 60)
    /// Minimum time for which one sample attests the subject's presence when minutes are summed. The actual time is
    /// three of the subject's usual gaps, between this and `longestVouching`.
    public var shortestVouching: Duration = .seconds(10)
    /// Maximum time for which one sample attests presence: as long as a smoothed RSSI is meaningful (`RSSIFilter`).
    public var longestVouching: Duration = .seconds(60)
    /// Length of an interval of readings. It must divide an hour, so that all gateways have the same intervals; `nil`:
    /// no readings.
    public var readingsInterval: Duration?
    /// Whether there are signals: what was received of each tracked subject in each second.
    public var hasSignals = false
    /// Maximum time without evidence of reception that counts as listening.
    public var longestListeningGap: Duration = .seconds(10)
    /// Maximum disorder of reports from several adapters. A time that is further back means that the clock was set
    /// back.
    public var largestDisorder: Duration = .seconds(10)
    /// Number of subjects received in the last 20 s that do not fall silent at one moment by chance. In a capture, a
    /// silence of all of them is due to the receiver (a phone that scans for some seconds of each minute, a recording
    /// that was interrupted) and means no departure. Where an adapter itself reports that it is receiving
    /// (`InteractionTracker.heard`), the report takes precedence.
    public var fewestSilentTogether = 3
    /// Maximum number of tracked beacons; phones have a limit of their own. When the table is full, new subjects are
    /// counted and not tracked. A flood of invented identities therefore uses a bounded amount of memory and does not
    /// displace subjects that are present. Phones cannot take the beacons' room. Known beacons have room for a quarter
    /// more, and those of the inventory are always admitted.
    public var capacity = 4096
    /// Number of simultaneous new subjects that is not yet a flood; separate for beacons and phones.
    public var newcomerBurst = 256
    /// Long-term rate of new subjects per second that is not yet a flood; at least 1.
    ///
    /// In a flood, the interaction of a new subject begins at the second advertisement instead of the first, and at
    /// most `startsPerSecond` begin. Present subjects and known beacons are not affected.
    ///
    /// Memory is bounded: 1 KiB for each tracked subject (9 MiB with the default capacity and full tables) and their
    /// index, half of that for each of at most 4096 subjects that have just departed, two tables of
    /// `rememberedNewcomers`, and one of 32 KiB for known beacons.
    public var newcomersPerSecond = 16
    /// Number of first advertisements remembered until the second, separate for beacons and phones, 8 bytes each; a
    /// power of two.
    ///
    /// With 65,536, they are remembered for about two seconds at 30,000 new identities per second. At 2,600, the most
    /// that one radio can receive, they are remembered for longer than `confirmationWindow`.
    public var rememberedNewcomers = 65_536
    /// Maximum age of a first advertisement that a second one confirms.
    public var confirmationWindow: Duration = .seconds(10)
    /// Minimum presence after which a beacon is known for a day after its departure, if it is among about the latest
    /// 4096. An invented identity that is transmitted for as long cannot be distinguished from a beacon.
    public var knownAfter: Duration = .seconds(60)
    /// Seed that determines the distribution of identities in these tables. Without the seed it is not possible to
    /// choose identities that displace a particular one. Equal seeds give equal events.
    public var seed: UInt64 = 0

    /// Number of new interactions per second in a flood. Identities that are no longer received then leave half of the
    /// table free. A gateway that starts among more than `newcomerBurst` subjects admits the others at this rate.
    public var startsPerSecond: Int { max(1, Int(Double(capacity) / (2 * max(1, silence.assumed.inSeconds)))) }

    /// Creates the default rules.
    public init() {}

    /// Rules for the silence after which a subject counts as departed: one that is improbable for a subject that is
    /// still present.
    public struct Silence: Equatable, Sendable {
        /// Silence before the regularity of reception at this location is known.
        public var assumed: Duration = .seconds(30)
        /// Minimum silence, however regularly a subject is received.
        public var shortest: Duration = .seconds(10)
        /// Maximum silence, however rarely a subject is received.
        public var longest: Duration = .seconds(15 * 60)
        /// Probability that a subject that stays for an hour is reported as departed within it, above 0 and below 1.
        public var falseEndProbability = 0.05

        /// Creates the default rules.
        public init() {}

        /// Returns rules with the same silence for all subjects, whatever is learned.
        public static func fixed(_ silence: Duration) -> Silence {
            var rules = Silence()
            (rules.assumed, rules.shortest, rules.longest) = (silence, silence, silence)
            return rules
        }
    }
}
