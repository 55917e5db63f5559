package import BeaconModel
package import Publishing
package import RecordContract

/// Offering of records to the broker, and what broker and consumer say of them.
extension Outbox {
    /// Sets whether the broker can be reached; `false` also means that the connection is lost.
    package func setOnline(_ isOnline: Bool) {
        if !isOnline { connection += 1 }
        ledger.setOnline(isOnline)
        if isOnline { changed.yield() }
    }

    /// Returns the next records to offer. They count as offered from now on.
    ///
    /// - Parameter limit: the maximum number of records.
    package func next(_ limit: Int, now: ContinuousClock.Instant) async -> OutboxOffer {
        let (ids, retryAfter) = ledger.offer(limit, now: now)
        if ids.isEmpty { return OutboxOffer(retryAfter: retryAfter) }
        var offer = OutboxOffer(entries: ledger.entries(offered: ids), retryAfter: retryAfter)
        var missing: [Int64] = []
        // The cache may drop payloads while the disk is read, so cached payloads are taken first.
        for index in offer.entries.indices {
            let id = offer.entries[index].id
            if let payload = buffer.payload(of: id) {
                offer.entries[index].setPayload(payload)
            } else {
                missing.append(id)
            }
        }
        if !missing.isEmpty {
            let connection = self.connection
            var read: [Int64: [UInt8]] = [:]
            var unreadable = Set<Int64>()
            for start in stride(from: 0, to: missing.count, by: Self.readBatch) {
                let batch = Array(missing[start..<min(start + Self.readBatch, missing.count)])
                do {
                    guard let store else { break }
                    read.merge(try await store.read(batch)) { $1 }
                } catch {
                    unreadable.formUnion(batch)
                    report(error, "cannot read")
                }
            }
            guard connection == self.connection else { return OutboxOffer() }
            for id in missing where read[id] == nil && !unreadable.contains(id) && ledger.drop(id) {
                damaged += 1
                forget([id])
            }
            if !unreadable.isEmpty {
                ledger.withdraw(ids, unreadable: unreadable)
                offer.retryAfter = .seconds(1)
            }
            offer.complete(missing, with: read, remaining: Set(ledger.entries(offered: ids).map(\.id)))
        }
        return offer
    }

    /// Handles the broker's acknowledgement of records.
    package func acknowledge(_ ids: [Int64], at now: ClockReading) {
        forget(ledger.acknowledge(ids, at: time(at: now)))
    }

    /// Keeps a record that the broker rejects at present, to be tried again later.
    ///
    /// It expires or is evicted like any other record.
    package func withhold(_ id: Int64, at now: ContinuousClock.Instant) { ledger.withhold(id, at: now) }

    /// Records that wait because the broker has rejected them, or one before them.
    package var withheld: Int { ledger.withheld }

    /// Whether the outbox holds records that the broker has rejected.
    package var isRefused: Bool { !ledger.refusing.isEmpty }

    /// Drops a record that the client library will never accept. It would block all others.
    package func refuse(_ id: Int64) {
        guard ledger.drop(id) else { return }
        refused += 1
        forget([id])
    }

    /// Handles the consumer's confirmation that everything up to a position is stored.
    ///
    /// - Parameter isRetained: whether this is the broker's retained copy, which does not prove that the consumer is
    ///   running.
    package func stored(through position: RecordPosition, isRetained: Bool, at now: ClockReading) {
        let time = self.time(at: now)
        forget(ledger.stored(through: position))
        guard !isRetained else { return }
        ledger.reofferUnconfirmed(at: time)
        changed.yield()
    }
}
