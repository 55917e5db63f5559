import CMosquitto
package import Publishing

extension MQTTVersion {
    /// As libmosquitto numbers it.
    package var option: Int32 { self == .five ? Int32(MQTT_PROTOCOL_V5) : Int32(MQTT_PROTOCOL_V311) }
}
