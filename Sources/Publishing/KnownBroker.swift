package import BeaconModel

/// The version of MQTT that a broker is known to speak.
package struct KnownBroker: Codable, Equatable, Sendable {
    /// Host and port.
    package var broker: String
    package var notedAt: Timestamp
    /// Which it has accepted; files of earlier versions have 3.1.1 alone, and don't say it.
    package var version: MQTTVersion?

    package init(broker: String, notedAt: Timestamp, version: MQTTVersion? = nil) {
        self.broker = broker
        self.notedAt = notedAt
        self.version = version ?? .threeOneOne
    }

    var speaksFive: Bool { version == .five }
}
