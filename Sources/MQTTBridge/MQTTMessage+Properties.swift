import CMosquitto
import Glibc

extension MQTTMessage.Properties {
    var isEmpty: Bool { self == MQTTMessage.Properties() }

    /// The same as a list of libmosquitto's for the time of `body`; nothing for no properties.
    func withList<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        if isEmpty { return body(nil) }
        var list: OpaquePointer?
        defer { mosquitto_property_free_all(&list) }
        if let contentType { mosquitto_property_add_string(&list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), contentType) }
        if let expiry {
            mosquitto_property_add_int32(
                &list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), UInt32(clamping: expiry.components.seconds))
        }
        if let responseTopic {
            mosquitto_property_add_string(&list, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), responseTopic)
        }
        if let correlationData {
            mosquitto_property_add_binary(
                &list, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlationData,
                UInt16(clamping: correlationData.count))
        }
        for property in user {
            mosquitto_property_add_string_pair(
                &list, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
        }
        return body(list)
    }

    /// Of a received message: what its sender wants of a reply, and of what type it is.
    init(_ list: OpaquePointer?) {
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
