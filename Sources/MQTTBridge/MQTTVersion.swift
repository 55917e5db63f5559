import CMosquitto

/// A version of MQTT that a connection speaks.
public enum MQTTVersion: String, Codable, Sendable {
    case five = "5"
    case threeOneOne = "3.1.1"

    /// As libmosquitto numbers it.
    var option: Int32 { self == .five ? Int32(MQTT_PROTOCOL_V5) : Int32(MQTT_PROTOCOL_V311) }
}
