import DequeModule
import HeapModule

extension OutboxLedger {
    /// Sets whether the connection is available. When it is lost, everything waits again in its old order, as
    /// historical.
    ///
    /// Records that the broker acknowledged and the consumer did not confirm stay acknowledged.
    package mutating func setOnline(_ isOnline: Bool) {
        self.isOnline = isOnline
        guard !isOnline else { return }
        var indices = offered.compactMap { index(of: $0) }.filter { entries[$0].state == .offered }
        indices += liveQueue.compactMap { index(of: $0) }.filter { entries[$0].state == .live }
        indices += takeParked()
        indices.sort()
        for index in indices { leave(at: index) }
        (offered, liveQueue) = ([], [])
        wait(indices)
        calmDown()
    }

    private mutating func calmDown() {
        for number in urgent {
            topics[number].isUrgent = false
            topics.releaseIfUnused(number)
        }
        urgent = []
    }

    /// Returns the next records to offer, which count as offered from now on: present records at once, the past at its
    /// pace.
    ///
    /// - Returns: their identifiers, and the time after which to ask again if only the pace or the broker's rejection
    ///   holds the rest back.
    package mutating func offer(_ limit: Int, now: ContinuousClock.Instant) -> (ids: [Int64], retryAfter: Duration?) {
        guard isOnline else { return ([], nil) }
        tryRefused(at: now)
        let trial = timeUntilTrial(from: now)
        var ids: [Int64] = []
        while ids.count < limit, let id = liveQueue.popFirst() {
            guard let index = index(of: id), entries[index].state == .live else { continue }
            offer(at: index)
            ids.append(id)
        }
        pace.fill(now)
        while ids.count < limit, waiting > 0 {
            guard pace.take() else { return (ids, min(pace.wait, trial ?? pace.wait)) }
            guard let index = nextOfThePast() else { break }
            offer(at: index)
            ids.append(entries[index].id)
        }
        if waiting == 0 { calmDown() }
        return (ids, trial)
    }

    /// Returns those records of `ids` that are still offered, without payloads.
    package func entries(offered ids: [Int64]) -> [OutboxEntry] {
        ids.compactMap { id in
            guard let entry = entry(id), entry.state == .offered else { return nil }
            return OutboxEntry(
                id: id, topic: topics[entry.topic].topic, payload: [], isHistorical: entry.isHistorical,
                priority: entry.priority, position: entry.position)
        }
    }

    /// Makes records wait again that could not be sent after all.
    package mutating func withdraw(_ ids: [Int64]) {
        waitAgain(ids.compactMap { index(of: $0) }.filter { entries[$0].state == .offered }.sorted())
    }

    /// Makes those records of `ids` wait again whose payloads cannot be read at present, and all others of the same
    /// topics: a later record of a topic must not be sent before an unreadable one.
    package mutating func withdraw(_ ids: [Int64], unreadable: Set<Int64>) {
        let topics = Set(unreadable.compactMap { entry($0)?.topic })
        withdraw(ids.filter { id in entry(id).map { topics.contains($0.topic) } ?? false })
    }

    private mutating func offer(at index: Int) {
        leave(at: index)
        entries[index].state = .offered
        offered.append(entries[index].id)
        offeredCount += 1
    }

    /// Takes the next historical record: from the urgent topics in turn, otherwise the oldest one.
    private mutating func nextOfThePast() -> Int? {
        while let number = urgent.popFirst() {
            if let index = takeNext(of: number) {
                urgent.append(number)
                return index
            }
            topics[number].isUrgent = false
            topics.releaseIfUnused(number)
        }
        while let id = history.popMin() {
            guard let entry = entry(id), entry.state == .historical else { continue }
            // The oldest record of all is the oldest of its topic.
            return takeNext(of: entry.topic)
        }
        return nil
    }

    /// Removes the oldest record of a topic from its lane.
    private mutating func takeNext(of number: Int32) -> Int? {
        guard let id = withLane(number, { lane, isWaiting in lane.next(isWaiting) }), let index = index(of: id) else {
            return nil
        }
        waiting -= 1
        entries[index].state = .arriving
        return index
    }
}
