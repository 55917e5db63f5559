/// How one badge and whoever wears it differ from others.
struct BadgeTraits: Sendable {
    /// The RSSI at 1 m in free air differs by so many dB from what is meant.
    var offset: Double
    /// What the body takes away when it is between the badge and the receiver, in dB.
    var body: Double

    /// dBm at 1 m in free air, of the average badge.
    static let power = -59.0

    /// 2.5 dB between badges of one kind; a body takes 4 to 14 dB.
    init(seed: UInt64, person: Int) {
        var random = SplitMix(seed: seed, .badge, person)
        offset = 2.5 * random.normals().0
        body = min(max(9 + 2.5 * random.normals().0, 4), 14)
    }
}
