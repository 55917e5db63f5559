/// One application message.
public struct MQTTMessage: Equatable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    public var qualityOfService: QualityOfService
    public var isRetained: Bool

    public init(
        topic: String, payload: [UInt8], qualityOfService: QualityOfService = .atLeastOnce, isRetained: Bool = false
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
    }

    /// The levels that every supported broker speaks.
    public enum QualityOfService: Int32, Sendable {
        case atMostOnce = 0
        case atLeastOnce = 1
    }
}
