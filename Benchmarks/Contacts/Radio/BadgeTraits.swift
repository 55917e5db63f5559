/// How one badge and whoever wears it differ from others.
struct BadgeTraits: Sendable {
    /// The RSSI at 1 m in free air differs by so many dB from what is meant.
    var offset: Double
    /// What the body takes away when it is between the badge and the receiver, in dB.
    var body: Double

    /// dBm at 1 m in free air, of the average badge.
    static let power = -59.0

    init(_ radio: RadioConstants = RadioConstants(), seed: UInt64, person: Int) {
        var random = SplitMix(seed: seed, .badge, person)
        offset = radio.badgeOffset * random.normals().0
        body = radio.body.draw(&random)
    }
}
