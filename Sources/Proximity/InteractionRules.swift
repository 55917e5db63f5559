import BeaconModel

/// When interactions begin, are reported and end.
public struct InteractionRules: Equatable, Sendable {
    /// A subject that is silent for this long has departed.
    public var silence: Duration = .seconds(30)
    /// How often a lasting interaction is reported.
    public var updateInterval: Duration = .seconds(30)
    /// A longer interaction is closed and continued, so that a consumer's interval join is bounded.
    public var longest: Duration = .seconds(30 * 60)
    /// How long one sample can vouch for the subject's presence when minutes are added up.
    public var longestGap: Duration = .seconds(10)
    /// Reports of several adapters come a little out of order. A time that is further back says that the clock was
    /// set back.
    public var largestDisorder: Duration = .seconds(10)
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
    /// Memory, whatever comes: 768 bytes for each of those who are followed (with the default capacity 7 MiB when there
    /// is room for nobody else) and their index, two tables of 512 KiB for first advertisements, and one of 32 KiB for
    /// known beacons.
    public var newcomersPerSecond = 16
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
    public var startsPerSecond: Int { max(1, Int(Double(capacity) / (2 * max(1, silence.inSeconds)))) }

    public init() {}
}
