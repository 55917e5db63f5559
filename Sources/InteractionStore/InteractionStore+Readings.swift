import MQTTBridge
import Matching

extension InteractionStore {
    /// Stores records of readings as they come; `settleReadings` makes vectors of them.
    ///
    /// Whoever was erased since a record's time is left out of it.
    func store(
        readingsOf records: [ReceivedRecord], now: Int64, clockIsSynchronized: Bool, _ session: any SQLSession,
        _ outcome: inout Outcome
    ) throws {
        var accepted: [ReadingsRecord] = []
        for case .readings(var record) in records {
            if let refusal = refusal(of: record, now: now, clockIsSynchronized: clockIsSynchronized) {
                outcome.refused[refusal, default: 0] += 1
                continue
            }
            record.subjects.removeAll { wasErased($0.identity, since: record.start) }
            accepted.append(record)
        }
        guard !accepted.isEmpty else { return }
        let latest = clockIsSynchronized ? now : accepted.reduce(now) { max($0, $1.clockIsSynchronized ? $1.end : 0) }
        let numbers = try names.numbers(of: accepted, today: latest / Self.day, session)
        var rows: [[SQLValue]] = []
        var records: Set<RecordKey> = []
        var blocks: [RecordKey: Set<ReadingBlock>] = [:]
        for record in accepted {
            guard let receiver = numbers.receivers[record.receiver] else { continue }
            let key = RecordKey(receiver: receiver, position: record.position)
            // The same record twice in a batch: PostgreSQL doesn't change a row twice in one statement.
            guard records.insert(key).inserted else { continue }
            for (block, row) in ReadingRow.rows(of: record, numbers.subjects) {
                blocks[key, default: []].insert(block)
                rows.append([
                    .integer(block.number), .integer(receiver), .integer(Int64(bitPattern: record.position.boot)),
                    .integer(Int64(bitPattern: record.position.sequence)), .blob(row.packed),
                ])
            }
        }
        // In one order everywhere, so that two processes don't wait for each other.
        rows.sort { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }
        var stored = 0
        try session.insert(StoreSchema.readingInsertion, rows: rows) { _ in stored += 1 }
        let whole = blocks.values.reduce(0) { $0 + $1.count }
        // A record may have two rows; it is new when any of them is.
        let new = min(blocks.count, whole == 0 ? 0 : stored)
        outcome.stored += new
        outcome.known += accepted.count - new
    }

    private struct RecordKey: Hashable {
        var receiver: Int64
        var position: RecordPosition
    }

    private static func key(_ row: [SQLValue]) -> [Int64] {
        row.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    }

    private func refusal(of record: ReadingsRecord, now: Int64, clockIsSynchronized: Bool) -> Refusal? {
        guard clockIsSynchronized else { return nil }
        if record.end < now - readingRetention { return .expired }
        return record.start > now + Self.clockTolerance ? .future : nil
    }
}

extension ReadingRow {
    /// A row for each block that a record is about: one, or two for a minute that begins in one block and ends in the next.
    static func rows(
        of record: ReadingsRecord, _ numbers: [SubjectIdentity: Int64]
    ) -> [(block: ReadingBlock, row: ReadingRow)] {
        let subjects = record.subjects.compactMap { subject -> (number: Int64, code: HearingCode)? in
            guard let number = numbers[subject.identity], let code = record.code(of: subject) else { return nil }
            return (number, code)
        }.sorted { $0.number < $1.number }
        var masks: [ReadingBlock: UInt16] = [:]
        for minute in record.minutes {
            let block = ReadingBlock(containing: minute)
            masks[block, default: 0] |= 1 << UInt16((minute - block.start) / 60)
        }
        return masks.sorted { $0.key < $1.key }.map { block, mask in
            (
                block,
                ReadingRow(
                    minutes: mask, listened: record.listenedPerMinute,
                    clockIsSynchronized: record.clockIsSynchronized, subjects: subjects)
            )
        }
    }
}
