import DequeModule

/// Topics in the order in which each was last added.
package struct TopicQueue: Sendable {
    private var order: Deque<(topic: String, turn: UInt64)> = []
    private var turns: [String: UInt64] = [:]
    private var lastTurn: UInt64 = 0

    package var isEmpty: Bool { turns.isEmpty }

    package func contains(_ topic: String) -> Bool { turns[topic] != nil }

    /// Adds a topic, or moves it to the end if it is already in the queue.
    package mutating func add(_ topic: String) {
        lastTurn += 1
        turns[topic] = lastTurn
        order.append((topic, lastTurn))
        if order.count > 2 * turns.count + 64 { order.removeAll { turns[$0.topic] != $0.turn } }
    }

    package mutating func popFirst() -> String? {
        while let first = order.popFirst() {
            // An entry with an outdated turn was added again in the meantime.
            guard turns[first.topic] == first.turn else { continue }
            turns[first.topic] = nil
            return first.topic
        }
        return nil
    }
}
