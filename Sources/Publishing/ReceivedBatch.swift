package import RecordContract

/// Received messages that are stored together before they are acknowledged to the broker. Pure.
package struct ReceivedBatch: Sendable {
    /// Maximum size of a batch.
    package static let largest = (messages: 2000, bytes: 16_000_000)

    private var messages: [MQTTMessage] = []
    private var bytes = 0

    package init() {
    }

    /// Whether the batch has messages, and room for more.
    package var isOpen: Bool {
        (1..<Self.largest.messages).contains(messages.count) && bytes < Self.largest.bytes
    }

    /// Adds a message.
    ///
    /// - Parameter size: its size in bytes.
    package mutating func add(_ message: MQTTMessage, size: Int) {
        messages.append(message)
        bytes += size
    }

    /// Returns the messages, and begins the next batch.
    package mutating func take() -> [MQTTMessage] {
        defer { self = ReceivedBatch() }
        return messages
    }
}
