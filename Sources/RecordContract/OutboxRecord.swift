/// A record as it waits in the outbox: encoded, and with what has to be known of it to keep or to give it up.
package struct OutboxRecord: Equatable, Sendable {
    package var topic: String
    package var priority: OutboxPriority
    package var position: RecordPosition
    /// One line of JSON, not yet historical.
    package var payload: [UInt8]

    package init(topic: String, priority: OutboxPriority, position: RecordPosition, payload: [UInt8]) {
        self.topic = topic
        self.priority = priority
        self.position = position
        self.payload = payload
    }
}
