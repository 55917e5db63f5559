/// One application message.
public struct MQTTMessage: Equatable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    public var qualityOfService: QualityOfService
    public var isRetained: Bool
    public var properties: Properties

    public init(
        topic: String, payload: [UInt8], qualityOfService: QualityOfService = .atLeastOnce, isRetained: Bool = false,
        properties: Properties = .init()
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.properties = properties
    }

    /// The levels that every supported broker speaks.
    public enum QualityOfService: Int32, Sendable {
        case atMostOnce = 0
        case atLeastOnce = 1
    }

    /// What MQTT 5 can say beside a message (MQTT 5.0, section 3.3.2.3). Where an older version is spoken they are left
    /// out, and nothing may depend on them.
    public struct Properties: Equatable, Sendable {
        public var contentType: String?
        /// After this the broker forgets the message, in whole seconds.
        public var expiry: Duration?
        public var responseTopic: String?
        public var correlationData: [UInt8]?
        public var user: [UserProperty]

        public init(
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

    public struct UserProperty: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
