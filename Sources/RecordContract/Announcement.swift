package import BeaconModel

/// What a client says of itself on a retained topic, and has the broker say when it is gone without a word.
package struct Announcement: Sendable {
    /// Published by the broker, as the will.
    package var will: MQTTMessage
    /// At every connection, made for the time of it.
    package var online: @Sendable (Timestamp) -> MQTTMessage
    /// Before a connection is closed.
    package var farewell: @Sendable (Timestamp) -> MQTTMessage

    package init(
        will: MQTTMessage, online: @escaping @Sendable (Timestamp) -> MQTTMessage,
        farewell: @escaping @Sendable (Timestamp) -> MQTTMessage
    ) {
        self.will = will
        self.online = online
        self.farewell = farewell
    }
}
