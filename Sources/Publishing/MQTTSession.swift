/// The properties with which the broker accepted a connection.
package struct MQTTSession: Equatable, Sendable {
    package var version: MQTTVersion
    /// Maximum number of messages that wait for their acknowledgement at once (MQTT 5.0, section 3.2.2.3.3).
    package var receiveMaximum = Int(UInt16.max)
    /// Maximum packet size in bytes (MQTT 5.0, section 3.2.2.3.6); `nil` if the broker does not state it.
    package var maximumPacketSize: Int?
    package var retainIsAvailable = true

    package init(version: MQTTVersion) { self.version = version }

    /// Returns the maximum number of messages that wait for their acknowledgement, as far as both sides allow.
    package func window(of configuration: BrokerConfiguration) -> Int { min(configuration.inFlight, receiveMaximum) }
}

/// Whether a broker keeps a client's subscriptions, and the messages for them, while the client is disconnected.
package enum SessionKeeping: Sendable {
    case never
    /// Sessions are kept only with MQTT 5, in which a session can expire. A broker that speaks an older version would
    /// keep the session for ever. The owner of an unacknowledged message offers it again.
    case whereItExpires
    /// Sessions are kept with every version.
    case always
}
