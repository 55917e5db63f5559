/// One application message.
package struct MQTTMessage: Equatable, Sendable {
    package var topic: String
    package var payload: [UInt8]
    package var qualityOfService: QualityOfService
    package var isRetained: Bool
    package var properties: Properties

    package init(
        topic: String, payload: [UInt8], qualityOfService: QualityOfService = .atLeastOnce, isRetained: Bool = false,
        properties: Properties = .init()
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.properties = properties
    }

    /// The QoS levels that every supported broker supports.
    package enum QualityOfService: Int32, Sendable {
        case atMostOnce = 0
        case atLeastOnce = 1
    }

    /// Properties of a message in MQTT 5 (MQTT 5.0, section 3.3.2.3). They are omitted with an older version, so
    /// nothing may depend on them.
    package struct Properties: Equatable, Sendable {
        package var contentType: String?
        /// Time after which the broker discards the message, in whole seconds.
        package var expiry: Duration?
        package var responseTopic: String?
        package var correlationData: [UInt8]?
        package var user: [UserProperty]

        package init(
            contentType: String? = nil, expiry: Duration? = nil, responseTopic: String? = nil,
            correlationData: [UInt8]? = nil, user: [UserProperty] = []
        ) {
            self.contentType = contentType
            self.expiry = expiry
            self.responseTopic = responseTopic
            self.correlationData = correlationData
            self.user = user
        }
    }

    package struct UserProperty: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
