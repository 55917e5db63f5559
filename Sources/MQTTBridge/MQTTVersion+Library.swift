import CMosquitto
package import Publishing

extension MQTTVersion {
    /// The number of this version in libmosquitto.
    package var option: Int32 { self == .five ? Int32(MQTT_PROTOCOL_V5) : Int32(MQTT_PROTOCOL_V311) }
}
