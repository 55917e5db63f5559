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
    /// doesn't push out those who are there. Phones can't take the beacons' room.
    public var capacity = 4096

    public init() {}
}
