package import BeaconModel

/// A client's announcement on a retained topic, with the will that the broker publishes if the client disappears.
package struct Announcement: Sendable {
    /// The will, which the broker publishes.
    package var will: MQTTMessage
    /// Returns the message for a new connection, at the time of that connection.
    package var online: @Sendable (Timestamp) -> MQTTMessage
    /// Returns the message that is published before a connection is closed.
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
