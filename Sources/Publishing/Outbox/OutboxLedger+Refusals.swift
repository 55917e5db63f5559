import DequeModule
import HeapModule
import RecordContract

extension OutboxLedger {
    /// Withholds a record that the broker rejects at present. It is kept and tried again; other topics continue.
    ///
    /// - Returns: whether the record was offered.
    @discardableResult
    package mutating func withhold(_ id: Int64, at now: ContinuousClock.Instant) -> Bool {
        guard let index = index(of: id), entries[index].state == .offered else { return false }
        let number = entries[index].topic
        leave(at: index)
        park(index)
        let isNew = topics[number].refusal?.refused(id, at: now) ?? true
        if topics[number].refusal == nil {
            topics[number].refusal = OutboxRefusal(id, at: now)
            refusing.insert(number)
        }
        topics[number].refusal?.parked.append(id)
        if isNew { parkAll(of: number) }
        // When the record is offered again, it moves to the end of the queue.
        tidyOffered()
        let due = topics[number].refusal?.due ?? now
        nextTrial = min(nextTrial ?? due, due)
        tidy()
        return true
    }

    /// Offers some of the rejected records that are due, and those behind them.
    mutating func tryRefused(at now: ContinuousClock.Instant) {
        guard let time = nextTrial, time <= now else { return }
        for number in refusing.sorted() where topics[number].refusal.map({ $0.due <= now }) ?? false {
            topics[number].refusal?.beginTrial(at: now)
            let first = Set(parked(of: number).prefix(OutboxRefusal.trial))
            unpark(number) { first.contains($0) }
        }
        nextTrial = refusing.compactMap { topics[$0].refusal?.due }.min()
    }

    /// Returns the time until rejected records are tried again; `nil` if there are none.
    func timeUntilTrial(from now: ContinuousClock.Instant) -> Duration? {
        refusing.isEmpty ? nil : nextTrial.map { max(.zero, $0 - now) }
    }

    /// Handles a record of this topic that the broker has accepted.
    package mutating func taken(_ id: Int64, of number: Int32) {
        guard let refusal = topics[number].refusal else { return }
        if refusal.ids.contains(id) {
            topics[number].refusal?.ids.remove(id)
            topics[number].refusal?.relent()
            unpark(number) { _ in true }
            endIfEmpty(number)
        } else if refusal.holdsOthers {
            topics[number].refusal?.holdsOthers = false
            unpark(number) { !refusal.ids.contains($0) }
        }
    }

    /// Removes a record that has left the ledger from the rejected ones, if it is among them.
    mutating func forgetRefused(_ id: Int64, of number: Int32) {
        guard topics[number].refusal?.ids.remove(id) != nil else { return }
        endIfEmpty(number)
    }

    /// Prepares all rejected records for a new connection, since the broker may have been changed.
    ///
    /// - Returns: the indices of the parked entries, which are now in no queue.
    mutating func takeParked() -> [Int] {
        var indices: [Int] = []
        for number in refusing {
            indices += parked(of: number).compactMap { index(of: $0) }
            topics[number].refusal?.parked = []
            topics[number].refusal?.relent()
        }
        return indices
    }

    /// Parks a record if its topic waits for a rejected one.
    ///
    /// - Returns: whether the record was parked.
    mutating func parkIfHeld(_ index: Int) -> Bool {
        let number = entries[index].topic
        guard isOnline, topics[number].refusal?.holdsOthers == true else { return false }
        park(index)
        topics[number].refusal?.parked.append(entries[index].id)
        return true
    }

    private mutating func endIfEmpty(_ number: Int32) {
        guard topics[number].refusal?.ids.isEmpty == true else { return }
        unpark(number) { _ in true }
        topics[number].refusal = nil
        refusing.remove(number)
        if refusing.isEmpty { nextTrial = nil }
    }

    /// Removes an entry from all queues. It may still be evicted.
    private mutating func park(_ index: Int) {
        entries[index].state = .withheld
        withheld += 1
        expendable[entries[index].priority.rawValue].insert(entries[index].id)
    }

    private mutating func parkAll(of number: Int32) {
        var ids = withLane(number) { lane, isWaiting in lane.takeAll(isWaiting) }
        waiting -= ids.count
        if topics[number].live > 0 {
            let present = liveQueue.filter { id in
                entry(id).map { $0.state == .live && $0.topic == number } ?? false
            }
            for index in present.compactMap({ index(of: $0) }) { leave(at: index) }
            ids += present
        }
        for index in ids.compactMap({ index(of: $0) }) { park(index) }
        topics[number].refusal?.parked += ids
    }

    private func parked(of number: Int32) -> [Int64] {
        (topics[number].refusal?.parked ?? []).filter { entry($0)?.state == .withheld }.sorted()
    }

    private mutating func unpark(_ number: Int32, where isWanted: (Int64) -> Bool) {
        let all = parked(of: number)
        let ids = all.filter(isWanted)
        topics[number].refusal?.parked = all.filter { !isWanted($0) }
        let indices = ids.compactMap { index(of: $0) }
        for index in indices { leave(at: index) }
        wait(indices)
    }
}
