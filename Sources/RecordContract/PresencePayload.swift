package import BeaconModel

/// What is published on a beacon's `presence` topic: whether it is here now, for dashboards and home automation.
package struct PresencePayload: Encodable, Sendable {
    /// `nil` when the gateway was deaf or stopped: nobody knows.
    private var present: Bool?
    /// With the status' boot number it tells a presence of this run from one that a killed gateway left behind.
    private var boot: UInt64
    private var since: String
    private var lastSeenAt: String
    private var proximity: String?
    private var distance: InteractionPayload.DistancePayload?
    /// The remote ear to which `distance` is; `nil` for the gateway itself.
    private var ear: String?

    /// - Parameters:
    ///   - interaction: with the receiver that says most.
    ///   - since: when the first one of those began to hear it who hear it now; `nil`: that interaction's.
    ///   - lastSeenAt: by any of them; `nil`: that interaction's.
    ///   - ear: the receiver, if that is a remote ear.
    package init(
        _ interaction: Interaction, boot: UInt64, since: Timestamp? = nil, lastSeenAt: Timestamp? = nil,
        ear: String? = nil
    ) {
        self.boot = boot
        present =
            switch interaction.ending?.reason {
            case nil, .continued: true
            case .departed: false
            case .lost, .shutdown: nil
            }
        self.since = (since ?? interaction.startedAt).rfc3339
        self.lastSeenAt = (lastSeenAt ?? interaction.lastSeenAt).rfc3339
        if present == true {
            proximity = interaction.proximity.name
            distance = interaction.distance.map { .init($0) }
            self.ear = ear
        }
    }

    /// `present` is null when nobody knows.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(present, forKey: .present)
        try container.encode(boot, forKey: .boot)
        try container.encode(since, forKey: .since)
        try container.encode(lastSeenAt, forKey: .lastSeenAt)
        try container.encodeIfPresent(proximity, forKey: .proximity)
        try container.encodeIfPresent(distance, forKey: .distance)
        try container.encodeIfPresent(ear, forKey: .ear)
    }

    private enum CodingKeys: String, CodingKey {
        case present, boot, since, lastSeenAt, proximity, distance, ear
    }

    /// As published.
    package var encoded: [UInt8] { JSON.encode(self) }
}
