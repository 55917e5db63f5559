package import BeaconModel

/// How often another client has taken this one's session at the broker: both have the same client identifier, as two
/// gateways of one name do.
package struct SessionTakeovers: Codable, Equatable, Sendable {
    /// Since the start.
    package var times: Int
    package var lastAt: Timestamp
    /// Whether the broker said so, which takes MQTT 5. Otherwise it is concluded from connections that the broker closes
    /// one after the other.
    package var isCertain: Bool

    package init(times: Int, lastAt: Timestamp, isCertain: Bool) {
        self.times = times
        self.lastAt = lastAt
        self.isCertain = isCertain
    }
}
