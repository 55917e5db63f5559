public import BeaconModel

/// When interactions begin, are reported and end.
public struct InteractionRules: Equatable, Sendable {
    /// When a silence says that somebody has left.
    public var silence = Silence()
    /// Beacons for which other rules hold.
    public var silenceOfBeacons: [BeaconID: Silence] = [:]
    /// How RSSI becomes distance.
    public var distance = DistanceRules()
    /// How often a lasting interaction is reported.
    public var updateInterval: Duration = .seconds(30)
    /// A longer interaction is closed and continued, so that a consumer's interval join is bounded.
    public var longest: Duration = .seconds(30 * 60)
    /// How long one sample can vouch for the subject's presence when minutes are added up: at least so long, and three
    /// of the gaps in which the subject is usually heard, up to `longestVouching`.
    public var shortestVouching: Duration = .seconds(10)
    /// As long as a smoothed RSSI says anything (`RSSIFilter`).
    public var longestVouching: Duration = .seconds(60)
    /// How long an interval is of which readings are given: a divisor of an hour, so that all gateways have the same ones;
    /// `nil`: none are.
    public var readingsInterval: Duration?
    /// A longer time in which nothing says that a receiver heard isn't counted as one in which it listened.
    public var longestListeningGap: Duration = .seconds(10)
    /// Reports of several adapters come a little out of order. A time that is further back says that the clock was
    /// set back.
    public var largestDisorder: Duration = .seconds(10)
    /// So many who were heard in the last 10 s don't fall silent at one moment by chance: a silence of all in a capture
    /// is the receiver's (a phone that listens for some seconds of each minute, a recording that was interrupted), and
    /// nobody's absence. Where an adapter says itself that it hears (`InteractionTracker.heard`), its word counts.
    public var fewestSilentTogether = 3
    /// How many beacons, and separately how many phones, can be followed at once. Whoever comes when the table is
    /// full is counted and not followed, so a flood of invented identities costs a bounded amount of memory and
    /// doesn't push out those who are there. Phones can't take the beacons' room. There is room for a quarter more
    /// beacons that are known, and always for those of the inventory.
    public var capacity = 4096
    /// So many newcomers at once are no flood: beacons, and separately phones.
    public var newcomerBurst = 256
    /// So many newcomers a second, in the long run, are no flood; at least 1.
    ///
    /// In a flood a newcomer's interaction begins at the second advertisement instead of the first, and at most
    /// `startsPerSecond` begin. Those who are here and beacons that are known aren't concerned.
    ///
    /// Memory, whatever comes: 1 KiB for each of those who are followed (with the default capacity 9 MiB when there
    /// is room for nobody else) and their index, half of that for each of at most 4096 who have just left, two tables of
    /// `rememberedNewcomers`, and one of 32 KiB for known beacons.
    public var newcomersPerSecond = 16
    /// How many first advertisements are remembered until the second, of beacons and separately of phones, 8 bytes each;
    /// a power of two.
    ///
    /// With 65,536, at 30,000 strangers a second for about two seconds; at 2,600, the most that one radio can receive, for
    /// longer than `confirmationWindow`.
    public var rememberedNewcomers = 65_536
    /// A second advertisement confirms a first one that isn't older.
    public var confirmationWindow: Duration = .seconds(10)
    /// A beacon that was here for this long is known for a day after it left, if it is one of the latest 4096 about.
    /// Who keeps an invented identity on the air for as long can't be told from a beacon.
    public var knownAfter: Duration = .seconds(60)
    /// Chooses how identities are spread over these tables. Who doesn't know it can't choose identities that displace
    /// a certain other one. Equal seeds give equal events.
    public var seed: UInt64 = 0

    /// How many newcomers begin in a second of a flood: so many that those who are heard no more leave half of the
    /// table free. A gateway that starts among more than `newcomerBurst` takes as long for the others.
    public var startsPerSecond: Int { max(1, Int(Double(capacity) / (2 * max(1, silence.assumed.inSeconds)))) }

    public init() {}

    /// When a silence says that a subject has left: when it is improbable for one who is still here.
    public struct Silence: Equatable, Sendable {
        /// How long it is before anything is known of how regularly subjects are heard here.
        public var assumed: Duration = .seconds(30)
        /// However regularly a subject is heard, it isn't shorter.
        public var shortest: Duration = .seconds(10)
        /// However seldom a subject is heard, it isn't longer.
        public var longest: Duration = .seconds(15 * 60)
        /// The probability that somebody who stays for an hour is said to have left within it, above 0 and below 1.
        public var falseEndProbability = 0.05

        public init() {}

        /// The same for everybody, whatever is learnt.
        public static func fixed(_ silence: Duration) -> Silence {
            var rules = Silence()
            (rules.assumed, rules.shortest, rules.longest) = (silence, silence, silence)
            return rules
        }
    }
}
