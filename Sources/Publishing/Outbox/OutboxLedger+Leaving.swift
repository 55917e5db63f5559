import BeaconModel
import DequeModule
import HeapModule
package import RecordContract

extension OutboxLedger {
    /// Handles the broker's acknowledgement of records.
    ///
    /// - Returns: the records that need not be kept any longer.
    package mutating func acknowledge(_ ids: [Int64], at now: Int64) -> [Int64] {
        var removed: [Int64] = []
        for id in ids {
            guard let index = index(of: id), entries[index].state == .offered else { continue }
            taken(id, of: entries[index].topic)
            guard rules.confirmation == .consumer else {
                remove(at: index)
                removed.append(id)
                continue
            }
            leave(at: index)
            let seconds = UInt32(clamping: now / 1_000_000)
            entries[index].state = .acknowledged
            entries[index].acknowledgedAt = seconds
            waitingForConsumer += 1
            acknowledged.append((id, seconds))
            expendable[entries[index].priority.rawValue].insert(id)
        }
        tidy()
        return removed
    }

    /// Removes a record for another reason.
    ///
    /// - Returns: whether the record was present.
    @discardableResult
    package mutating func drop(_ id: Int64) -> Bool {
        guard let index = index(of: id) else { return false }
        remove(at: index)
        tidy()
        return true
    }

    /// Removes records that are older than the rules allow, unless they are on their way. Returns their identifiers.
    package mutating func expire(at now: Int64) -> [Int64] {
        let limit = now - rules.age.clampedMicroseconds
        var removed: [Int64] = []
        var index = 0
        while index < entries.count, entries[index].state == .gone || entries[index].enteredAt < limit {
            switch entries[index].state {
            case .gone, .offered, .arriving: break
            case .live, .historical, .withheld, .acknowledged:
                removed.append(entries[index].id)
                tellExpired(entries[index].position)
                remove(at: index)
                expired += 1
            }
            index += 1
        }
        tidy()
        return removed
    }

    /// Handles the consumer's confirmation that everything up to `position` is stored.
    ///
    /// A position that this gateway has not reached comes from another installation of it and is ignored. A position of
    /// a boot of which there is no record is ignored too: another gateway with the same name may have made it.
    package mutating func stored(through position: RecordPosition) -> [Int64] {
        guard rules.confirmation == .consumer, let newest, position <= newest,
            position.boot == newest.boot
                || entries.contains(where: { $0.state != .gone && $0.position.boot == position.boot })
        else { return [] }
        var removed: [Int64] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            if entry.state != .gone, entry.state != .arriving, entry.position <= position {
                removed.append(entry.id)
                remove(at: index)
            } else if isInOrder, entry.position > position {
                break
            }
            index += 1
        }
        tidy()
        return removed
    }

    /// Offers records again, as historical, that the broker has had for longer than `confirmTimeout`. Called when the
    /// consumer is running.
    package mutating func reofferUnconfirmed(at now: Int64) {
        let limit = UInt32(clamping: (now - rules.confirmTimeout.clampedMicroseconds) / 1_000_000)
        var again: [Int] = []
        while let first = acknowledged.first, first.at < limit || entry(first.id)?.state != .acknowledged {
            acknowledged.removeFirst()
            if let index = index(of: first.id), entries[index].state == .acknowledged,
                entries[index].acknowledgedAt == first.at
            {
                again.append(index)
            }
        }
        waitAgain(again.sorted())
    }
}
