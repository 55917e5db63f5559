import DequeModule

/// Topics in the order in which each was last added.
package struct TopicQueue: Sendable {
    private var order: Deque<(topic: String, turn: UInt64)> = []
    private var turns: [String: UInt64] = [:]
    private var lastTurn: UInt64 = 0

    package var isEmpty: Bool { turns.isEmpty }

    package func contains(_ topic: String) -> Bool { turns[topic] != nil }

    /// One that is in it already goes to the end.
    package mutating func add(_ topic: String) {
        lastTurn += 1
        turns[topic] = lastTurn
        order.append((topic, lastTurn))
        if order.count > 2 * turns.count + 64 { order.removeAll { turns[$0.topic] != $0.turn } }
    }

    package mutating func popFirst() -> String? {
        while let first = order.popFirst() {
            // An entry whose turn is another by now was added again in the meantime.
            guard turns[first.topic] == first.turn else { continue }
            turns[first.topic] = nil
            return first.topic
        }
        return nil
    }
}
