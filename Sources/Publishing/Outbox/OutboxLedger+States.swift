import DequeModule
import HeapModule
import RecordContract

extension OutboxLedger {
    package func isWaiting(_ id: Int64) -> Bool { entry(id)?.state == .historical }

    /// Makes entries wait as historical records.
    ///
    /// - Parameter indices: in ascending order; the entries must be in no queue.
    package mutating func wait(_ indices: [Int]) {
        var byTopic: [Int32: [Int64]] = [:]
        for index in indices {
            let entry = entries[index]
            entries[index].state = .historical
            entries[index].isHistorical = true
            byTopic[entry.topic, default: []].append(entry.id)
            history.insert(entry.id)
            // Eviction may have passed over the record while it was offered.
            expendable[entry.priority.rawValue].insert(entry.id)
        }
        for (number, ids) in byTopic { topics[number].wait(ids) }
        waiting += indices.count
    }

    /// Makes entries historical that are in no queue of waiting records. Present records of their topics wait too, so
    /// that they do not overtake them.
    ///
    /// - Parameter indices: in ascending order.
    package mutating func waitAgain(_ indices: [Int]) {
        for index in indices { leave(at: index) }
        wait(indices)
        // When the records are offered again, they move to the end of the queue.
        tidyOffered()
        var overtaken = Set<Int32>()
        for index in indices where topics[entries[index].topic].live > 0 { overtaken.insert(entries[index].topic) }
        guard !overtaken.isEmpty else { return }
        let present = liveQueue.compactMap { index(of: $0) }
            .filter { entries[$0].state == .live && overtaken.contains(entries[$0].topic) }.sorted()
        for index in present { leave(at: index) }
        wait(present)
        for number in overtaken.sorted(by: { topics[$0].topic < topics[$1].topic }) { hurry(number) }
    }

    /// Lets this topic's past precede that of other topics.
    package mutating func hurry(_ number: Int32) {
        guard !topics[number].isUrgent else { return }
        topics[number].isUrgent = true
        urgent.append(number)
    }

    /// Removes an entry from the counters and lanes of its state.
    package mutating func leave(at index: Int) {
        let entry = entries[index]
        switch entry.state {
        case .live: topics[entry.topic].live -= 1
        case .historical:
            entries[index].state = .gone
            waiting -= 1
            withLane(entry.topic) { lane, isWaiting in lane.forgetOne(isWaiting) }
        case .offered: offeredCount -= 1
        case .withheld: withheld -= 1
        case .acknowledged: waitingForConsumer -= 1
        case .arriving, .gone: break
        }
    }

    /// Runs `body` on a lane while the ledger can be read. The lane is swapped out, because copying it would cost its
    /// length.
    mutating func withLane<Result>(
        _ number: Int32, _ body: (inout OutboxLane, (Int64) -> Bool) -> Result
    ) -> Result {
        var lane = OutboxLane(topic: "")
        swap(&lane, &topics[number])
        defer { swap(&lane, &topics[number]) }
        return body(&lane) { self.isWaiting($0) }
    }

    package mutating func remove(at index: Int) {
        let entry = entries[index]
        leave(at: index)
        entries[index].state = .gone
        count -= 1
        bytes -= Int(entry.bytes)
        counts[entry.priority.rawValue] -= 1
        forgetRefused(entry.id, of: entry.topic)
        topics.removeRecord(of: entry.topic)
    }

    /// Removes obsolete entries from the queues. Indices change.
    mutating func tidy() {
        while entries.first?.state == .gone { entries.removeFirst() }
        if entries.count > 2 * count + 64 { entries.removeAll { $0.state == .gone } }
        while let first = offered.first, entry(first)?.state != .offered { offered.removeFirst() }
        if offered.count > 2 * offeredCount + 64 { tidyOffered() }
        if liveQueue.count > 1024, liveQueue.count > 2 * count {
            liveQueue = liveQueue.filter { [entries] in entries.state(of: $0) == .live }
        }
        if history.count > 2 * waiting + 64 {
            history = Heap(history.unordered.filter { [entries] in entries.state(of: $0) == .historical })
        }
        if acknowledged.count > 2 * waitingForConsumer + 64 {
            acknowledged = acknowledged.filter { [entries] in entries.state(of: $0.id) == .acknowledged }
        }
        for priority in expendable.indices where expendable[priority].count > 2 * counts[priority] + 64 {
            // A record that waited more than once is in the heap more than once.
            var last: Int64?
            expendable[priority] = Heap(
                expendable[priority].unordered.sorted().filter { [entries] id in
                    defer { last = id }
                    return id != last && entries.state(of: id) != .gone
                })
        }
    }

    mutating func tidyOffered() {
        offered = offered.filter { [entries] in entries.state(of: $0) == .offered }
    }
}

extension Deque<OutboxLedger.Entry> {
    fileprivate func state(of id: Int64) -> OutboxLedger.State {
        index(of: id, identifier: \.id).map { self[$0].state } ?? .gone
    }
}
