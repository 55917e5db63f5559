import CMosquitto
import RecordContract

/// Properties in libmosquitto's representation, created once for many messages.
final class MQTTPropertyList: Sendable {
    // The list is only read between its creation and its release. libmosquitto copies what it sends.
    nonisolated(unsafe) let pointer: OpaquePointer?

    init(_ properties: MQTTMessage.Properties) {
        var list: OpaquePointer?
        if let contentType = properties.contentType {
            mosquitto_property_add_string(&list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), contentType)
        }
        if let expiry = properties.expiry {
            mosquitto_property_add_int32(
                &list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), UInt32(clamping: expiry.components.seconds))
        }
        if let responseTopic = properties.responseTopic {
            mosquitto_property_add_string(&list, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), responseTopic)
        }
        if let correlationData = properties.correlationData {
            mosquitto_property_add_binary(
                &list, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlationData,
                UInt16(clamping: correlationData.count))
        }
        for property in properties.user {
            mosquitto_property_add_string_pair(
                &list, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
        }
        pointer = list
    }

    deinit {
        var list = pointer
        mosquitto_property_free_all(&list)
    }

    /// Properties of a record (CloudEvents' MQTT binding, structured mode).
    static let record = MQTTPropertyList(.init(contentType: cloudEvents))
    static let historicalRecord = MQTTPropertyList(
        .init(contentType: cloudEvents, user: [.init("historical", "true")]))
    private static let cloudEvents = "application/cloudevents+json; charset=utf-8"
}
