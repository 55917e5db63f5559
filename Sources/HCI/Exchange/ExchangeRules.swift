public import BeaconModel

/// When a connection is made, and to whom.
public struct ExchangeRules: Equatable, Sendable {
    /// Those to whose phones connections are made; none unless they are named.
    public var apps: Set<ContactApp>
    /// Connections at the same time, 1 to 4.
    public var parallel: Int
    /// Attempts in any 60 seconds, 1 to 60.
    public var perMinute: Int
    /// Between the starts of two attempts: each costs a scanner a moment, and so these don't add up to a gap.
    public var spacing: Duration
    /// The weakest signal that is worth a try, in dBm.
    public var weakest: Int8
    /// After a success the same address is left alone for this long.
    public var rotation: Duration
    /// After the first failure with an address; each further one doubles it, up to `rotation`.
    public var firstBackoff: Duration
    /// Who wasn't heard for so long is taken to be gone.
    public var freshness: Duration
    /// Addresses that are known without a code.
    public var capacity: Int

    public static let parallelRange = 1...4
    public static let perMinuteRange = 1...60

    /// Values out of range are clamped.
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
