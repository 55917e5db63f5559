public import BeaconModel

/// Rules for when to connect, and to which peers.
public struct ExchangeRules: Equatable, Sendable {
    /// Apps whose phones are connected to. Empty by default.
    public var apps: Set<ContactApp>
    /// Maximum number of simultaneous connections, 1 to 4.
    public var parallel: Int
    /// Maximum number of attempts in any 60 seconds, 1 to 60.
    public var perMinute: Int
    /// Minimum time between the starts of two attempts. Each attempt interrupts a scanner briefly; the spacing keeps
    /// the interruptions from adding up to a gap.
    public var spacing: Duration
    /// Weakest signal for an attempt, in dBm.
    public var weakest: Int8
    /// Time after a success during which the same address is not contacted again.
    public var rotation: Duration
    /// Back-off after the first failure with an address. Each further failure doubles it, up to `rotation`.
    public var firstBackoff: Duration
    /// Time after its last reception at which a peer counts as departed.
    public var freshness: Duration
    /// Maximum number of candidate addresses.
    public var capacity: Int

    /// Allowed numbers of concurrent connections.
    public static let parallelRange = 1...4
    /// Allowed numbers of attempts per minute.
    public static let perMinuteRange = 1...60

    /// Creates rules. Clamps values that are out of range, and drops apps without an exchange profile.
    public init(
        apps: Set<ContactApp> = [], parallel: Int = 1, perMinute: Int = 12,
        spacing: Duration = .seconds(2), weakest: Int8 = -80,
        rotation: Duration = .seconds(15 * 60), firstBackoff: Duration = .seconds(30),
        freshness: Duration = .seconds(10), capacity: Int = 1024
    ) {
        self.apps = apps.filter { ExchangeProfile.of($0) != nil }
        self.parallel = min(max(parallel, Self.parallelRange.lowerBound), Self.parallelRange.upperBound)
        self.perMinute = min(max(perMinute, Self.perMinuteRange.lowerBound), Self.perMinuteRange.upperBound)
        self.spacing = spacing
        self.weakest = weakest
        self.rotation = rotation
        self.firstBackoff = firstBackoff
        self.freshness = freshness
        self.capacity = capacity
    }
}
