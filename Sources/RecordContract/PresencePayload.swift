package import BeaconModel

/// The payload of a beacon's `presence` topic: whether the beacon is present now, for dashboards and home automation.
package struct PresencePayload: Encodable, Sendable {
    /// Whether the beacon is present; `nil` if unknown, because the gateway was deaf or stopped.
    private var present: Bool?
    /// The boot number. Compared with the one in the status, it distinguishes a presence of this run from one that a
    /// killed gateway left behind.
    private var boot: UInt64
    private var since: String
    private var lastSeenAt: String
    private var proximity: String?
    private var distance: InteractionPayload.DistancePayload?
    /// The remote receiver from which `distance` is measured; `nil` for the gateway itself.
    private var ear: String?

    /// Creates a payload from an interaction.
    ///
    /// - Parameters:
    ///   - interaction: the interaction with the most informative receiver.
    ///   - since: when the first of the present receivers began to receive the beacon; `nil`: the start of the
    ///     interaction.
    ///   - lastSeenAt: the latest time at which any of them received it; `nil`: that of the interaction.
    ///   - ear: the name of the receiver, if it is a remote one.
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

    /// Encodes the payload; `present` is null if the presence is unknown.
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

    /// The payload as published.
    package var encoded: [UInt8] { JSON.encode(self) }
}
