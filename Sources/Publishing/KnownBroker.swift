package import BeaconModel

/// The version of MQTT that a broker is known to speak.
package struct KnownBroker: Codable, Equatable, Sendable {
    /// Host and port of the broker.
    package var broker: String
    package var notedAt: Timestamp
    /// The version that the broker has accepted. Files of earlier versions omit it; in them it is always 3.1.1.
    package var version: MQTTVersion?

    package init(broker: String, notedAt: Timestamp, version: MQTTVersion? = nil) {
        self.broker = broker
        self.notedAt = notedAt
        self.version = version ?? .threeOneOne
    }

    var speaksFive: Bool { version == .five }
}
