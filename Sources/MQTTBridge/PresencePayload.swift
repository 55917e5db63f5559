public import BeaconModel

/// What is published on a beacon's `presence` topic: whether it is here now, for dashboards and home automation.
public struct PresencePayload: Encodable, Sendable {
    private var present: Bool
    private var since: String
    private var lastSeenAt: String
    private var proximity: String?
    private var distance: InteractionPayload.DistancePayload?

    public init(_ interaction: Interaction) {
        present = interaction.ending == nil || interaction.ending?.reason == .continued
        since = interaction.startedAt.rfc3339
        lastSeenAt = interaction.lastSeenAt.rfc3339
        if present {
            proximity = interaction.proximity.name
            distance = interaction.distance.map { .init($0) }
        }
    }

    /// As published.
    public var encoded: [UInt8] { JSON.encode(self) }
}
