import CMosquitto
import RecordContract

/// Streams of received messages, by topic filter.
struct MessageReaders {
    private var readers: [(filter: String, messages: AsyncStream<MQTTMessage>.Continuation)] = []
    private var isFinished = false

    /// Adds a reader. A slow reader receives the newest 64 messages. After `finish` it receives none.
    mutating func add(_ filter: String) -> AsyncStream<MQTTMessage> {
        let (messages, continuation) = AsyncStream<MQTTMessage>.makeStream(bufferingPolicy: .bufferingNewest(64))
        if isFinished { continuation.finish() } else { readers.append((filter, continuation)) }
        return messages
    }

    /// Gives a message to the readers of its topic.
    func deliver(_ message: MQTTMessage) {
        for reader in readers where Self.matches(message.topic, reader.filter) { reader.messages.yield(message) }
    }

    /// Ends all streams.
    mutating func finish() {
        isFinished = true
        for reader in readers { reader.messages.finish() }
    }

    private static func matches(_ topic: String, _ filter: String) -> Bool {
        var matches = false
        return mosquitto_topic_matches_sub(filter, topic, &matches) == Int32(MOSQ_ERR_SUCCESS.rawValue) && matches
    }
}
