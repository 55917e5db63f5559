import DequeModule

/// Messages that were sent and are not acknowledged yet, by number. Brokers acknowledge messages in the order in which
/// they received them (MQTT 5.0, section 4.6).
package struct AwaitedMessages: Sendable {
    private var messages: Deque<(number: Int32, message: Message)> = []
    /// Number of states among the messages.
    package private(set) var states = 0
    /// Number of records among the messages.
    package private(set) var records = 0

    package init(states: Int = 0, records: Int = 0) {
        self.states = states
        self.records = records
    }

    /// The message that an acknowledgement confirms.
    package enum Message: Equatable, Sendable {
        case record(id: Int64, topic: String)
        case state(String)
        case announcement
        case farewell
        /// A message that is not sent again.
        case once(topic: String)
    }

    package var count: Int { messages.count }
    package var isEmpty: Bool { messages.isEmpty }

    package mutating func insert(_ number: Int32, _ message: Message) {
        count(message, 1)
        messages.append((number, message))
    }

    package mutating func remove(_ number: Int32) -> Message? {
        guard let index = messages.firstIndex(where: { $0.number == number }) else { return nil }
        let message = index == 0 ? messages.removeFirst().message : messages.remove(at: index).message
        count(message, -1)
        return message
    }

    private mutating func count(_ message: Message, _ change: Int) {
        switch message {
        case .state: states += change
        case .record: records += change
        case .announcement, .farewell, .once: break
        }
    }
}
