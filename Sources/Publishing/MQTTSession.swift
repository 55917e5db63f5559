/// What the broker said when it accepted a connection.
package struct MQTTSession: Equatable, Sendable {
    package var version: MQTTVersion
    /// Messages that may wait for their acknowledgement at once (MQTT 5.0, section 3.2.2.3.3).
    package var receiveMaximum = Int(UInt16.max)
    /// In bytes (MQTT 5.0, section 3.2.2.3.6); `nil`: it doesn't say.
    package var maximumPacketSize: Int?
    package var retainIsAvailable = true

    package init(version: MQTTVersion) { self.version = version }

    /// How many messages wait for their acknowledgement at most, by what both sides allow.
    package func window(of configuration: BrokerConfiguration) -> Int { min(configuration.inFlight, receiveMaximum) }
}

/// Whether a broker keeps a client's subscriptions, and what comes for them, while the client is away.
package enum SessionKeeping {
    case never
    /// By MQTT 5, which lets a session expire. An older broker would keep it for ever; what isn't acknowledged is offered
    /// again by its owner.
    case whereItExpires
    /// By an older version too.
    case always
}
