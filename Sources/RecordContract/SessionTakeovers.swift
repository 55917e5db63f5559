package import BeaconModel

/// Takeovers of this client's session at the broker by another client. Both have the same client identifier, as two
/// gateways with one name do.
package struct SessionTakeovers: Codable, Equatable, Sendable {
    /// Number of takeovers since the start.
    package var times: Int
    package var lastAt: Timestamp
    /// Whether the broker reported the takeover, which requires MQTT 5. Otherwise it is inferred from connections that
    /// the broker closes in succession.
    package var isCertain: Bool

    package init(times: Int, lastAt: Timestamp, isCertain: Bool) {
        self.times = times
        self.lastAt = lastAt
        self.isCertain = isCertain
    }
}
