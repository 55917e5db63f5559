public import BeaconModel

/// What is published on a beacon's `presence` topic: whether it is here now, for dashboards and home automation.
public struct PresencePayload: Encodable, Sendable {
    /// `nil` when the gateway was deaf or stopped: nobody knows.
    private var present: Bool?
    /// With the status' boot number it tells a presence of this run from one that a killed gateway left behind.
    private var boot: UInt64
    private var since: String
    private var lastSeenAt: String
    private var proximity: String?
    private var distance: InteractionPayload.DistancePayload?

    public init(_ interaction: Interaction, boot: UInt64) {
        self.boot = boot
        present =
            switch interaction.ending?.reason {
            case nil, .continued: true
            case .departed: false
            case .lost, .shutdown: nil
            }
        since = interaction.startedAt.rfc3339
        lastSeenAt = interaction.lastSeenAt.rfc3339
        if present == true {
            proximity = interaction.proximity.name
            distance = interaction.distance.map { .init($0) }
        }
    }

    /// `present` is null when nobody knows.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(present, forKey: .present)
        try container.encode(boot, forKey: .boot)
        try container.encode(since, forKey: .since)
        try container.encode(lastSeenAt, forKey: .lastSeenAt)
        try container.encodeIfPresent(proximity, forKey: .proximity)
        try container.encodeIfPresent(distance, forKey: .distance)
    }

    private enum CodingKeys: String, CodingKey {
        case present, boot, since, lastSeenAt, proximity, distance
    }

    /// As published.
    public var encoded: [UInt8] { JSON.encode(self) }
}
