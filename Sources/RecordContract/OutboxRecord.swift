/// A record as it waits in the outbox: encoded, with the data needed to decide whether to keep it.
package struct OutboxRecord: Equatable, Sendable {
    package var topic: String
    package var priority: OutboxPriority
    package var position: RecordPosition
    /// One line of JSON, not marked as historical yet.
    package var payload: [UInt8]

    package init(topic: String, priority: OutboxPriority, position: RecordPosition, payload: [UInt8]) {
        self.topic = topic
        self.priority = priority
        self.position = position
        self.payload = payload
    }
}
