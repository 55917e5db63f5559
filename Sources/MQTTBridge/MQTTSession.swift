import CMosquitto

/// What the broker said when it accepted a connection.
struct MQTTSession: Equatable, Sendable {
    var version: MQTTVersion
    /// Messages that may wait for their acknowledgement at once (MQTT 5.0, section 3.2.2.3.3).
    var receiveMaximum = Int(UInt16.max)
    /// In bytes (MQTT 5.0, section 3.2.2.3.6); `nil`: it doesn't say.
    var maximumPacketSize: Int?
    var retainIsAvailable = true

    init(version: MQTTVersion) { self.version = version }

    /// How many messages wait for their acknowledgement at most, by what both sides allow.
    func window(of configuration: BrokerConfiguration) -> Int { min(configuration.inFlight, receiveMaximum) }

    /// - Parameter properties: of the CONNACK.
    init(version: MQTTVersion, properties: OpaquePointer?) {
        self.init(version: version)
        guard version == .five, let properties else { return }
        var short: UInt16 = 0
        if mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &short, false) != nil {
            receiveMaximum = max(1, Int(short))
        }
        var long: UInt32 = 0
        if mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &long, false) != nil
        {
            maximumPacketSize = Int(long)
        }
        var byte: UInt8 = 1
        if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &byte, false) != nil {
            retainIsAvailable = byte != 0
        }
    }
}

/// Whether a broker keeps a client's subscriptions, and what comes for them, while the client is away.
enum SessionKeeping {
    case never
    /// By MQTT 5, which lets a session expire. An older broker would keep it for ever; what isn't acknowledged is offered
    /// again by its owner.
    case whereItExpires
    /// By an older version too.
    case always
}
