public import BeaconModel

/// What a client says of itself on a retained topic, and has the broker say when it is gone without a word.
public struct Announcement: Sendable {
    /// Published by the broker, as the will.
    public var will: MQTTMessage
    /// At every connection, made for the time of it.
    public var online: @Sendable (Timestamp) -> MQTTMessage
    /// Before a connection is closed.
    public var farewell: @Sendable (Timestamp) -> MQTTMessage

    public init(
        will: MQTTMessage, online: @escaping @Sendable (Timestamp) -> MQTTMessage,
        farewell: @escaping @Sendable (Timestamp) -> MQTTMessage
    ) {
        self.will = will
        self.online = online
        self.farewell = farewell
    }
}
