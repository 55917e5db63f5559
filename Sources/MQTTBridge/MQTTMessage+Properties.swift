import CMosquitto
import Glibc
package import RecordContract

extension MQTTMessage {
    /// Size in bytes of a received message, including its topic and properties.
    package var size: Int {
        topic.utf8.count + payload.count + (properties.contentType?.utf8.count ?? 0)
            + (properties.responseTopic?.utf8.count ?? 0) + (properties.correlationData?.count ?? 0)
    }
}

extension MQTTMessage.Properties {
    package var isEmpty: Bool { self == MQTTMessage.Properties() }

    /// Reads the properties of a received message: its content type, and the response topic and correlation data for a
    /// reply.
    package init(_ list: OpaquePointer?) {
        self.init()
        guard let list else { return }
        contentType = Self.string(list, MQTT_PROP_CONTENT_TYPE)
        responseTopic = Self.string(list, MQTT_PROP_RESPONSE_TOPIC)
        var data: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        if mosquitto_property_read_binary(
            list, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &data, &length, false) != nil, let data
        {
            correlationData = Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
            free(data)
        }
    }

    private static func string(_ list: OpaquePointer, _ property: mqtt5_property) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(list, Int32(property.rawValue), &text, false) != nil, let text else {
            return nil
        }
        defer { free(text) }
        return String(cString: text)
    }
}
