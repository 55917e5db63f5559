import CMosquitto
package import Publishing

extension MQTTSession {
    /// Creates a session from the broker's CONNACK.
    ///
    /// - Parameter properties: the properties of the CONNACK.
    package init(version: MQTTVersion, properties: OpaquePointer?) {
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
