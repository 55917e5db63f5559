import Testing

@testable import Publishing

@Suite struct TopicQueueTests {
    private func drained(_ queue: TopicQueue) -> [String] {
        var queue = queue
        var topics: [String] = []
        while let topic = queue.popFirst() { topics.append(topic) }
        return topics
    }

    @Test("Topics come in the order in which each was last added, each once")
    func order() {
        var queue = TopicQueue()
        for topic in ["a", "b", "c", "a"] { queue.add(topic) }
        #expect(queue.contains("a"))
        #expect(drained(queue) == ["b", "c", "a"])
    }

    @Test("A topic that is added again and again takes no more room")
    func bounded() {
        var queue = TopicQueue()
        for _ in 0..<100_000 { queue.add("a") }
        #expect(drained(queue) == ["a"])
        #expect(TopicQueue().isEmpty && !queue.isEmpty)
    }
}
