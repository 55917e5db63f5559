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
        for case .readings(let record) in records {
            if let refusal = distrusted(record.gateway) ?? exhausted(record.gateway, start: record.start) {
                outcome.refused[refusal, default: 0] += 1
                continue
            }
            if clockIsSynchronized,
                let refusal = refusal(from: record.start, to: record.end, keptFor: readingRetention, now: now)
            {
                outcome.refused[refusal, default: 0] += 1
                continue
            }
            accepted.append(record)
        }
        guard !accepted.isEmpty else { return }
        let latest = clockIsSynchronized ? now : accepted.reduce(now) { max($0, $1.clockIsSynchronized ? $1.end : 0) }
        accepted = try selected(accepted, today: latest / Self.day, session, &outcome).filter { record in
            let bytes = IngestQuota.reading * Int64(record.subjects.count + 1)
            let fits = takeRoom(bytes, of: record.gateway, start: record.start)
            if !fits { outcome.refused[.overQuota, default: 0] += 1 }
            return fits
        }
        for index in accepted.indices {
            let start = accepted[index].start
            accepted[index].subjects.removeAll { wasErased($0.identity, since: start) || isProof($0.identity) }
        }
        var claims = claims(today: latest / Self.day)
        let numbers = try names.numbers(of: accepted, &claims, today: latest / Self.day, session)
        outcome.refusedClaims.formUnion(claims.refusals)
        var rows: [[SQLValue]] = []
        for record in accepted {
            guard let receiver = numbers.receivers[record.receiver] else { continue }
            for (block, row) in ReadingRow.rows(of: record, numbers.subjects) {
                rows.append([
                    .integer(block.number), .integer(receiver), .integer(Int64(bitPattern: record.position.boot)),
                    .integer(Int64(bitPattern: record.position.sequence)), .blob(row.packed),
                ])
            }
        }
        // In one order everywhere, so that two processes don't wait for each other.
        rows.sort { Self.key($0).lexicographicallyPrecedes(Self.key($1)) }
        // A record may have rows in two blocks.
        var new: Set<RecordKey> = []
        try session.insert(StoreSchema.readingInsertion, rows: rows) { row in
            let position = RecordPosition(
                boot: UInt64(bitPattern: row.integer(1)), sequence: UInt64(bitPattern: row.integer(2)))
            new.insert(RecordKey(receiver: row.integer(0), position: position))
        }
        outcome.stored += new.count
        outcome.known += accepted.count - new.count
    }

    /// Records whose boot and sequence no earlier one of their gateway has, settled or not: of two the first counts.
    private func selected(
        _ records: [ReadingsRecord], today: Int64, _ session: any SQLSession, _ outcome: inout Outcome
    ) throws -> [ReadingsRecord] {
        let entries = records.map(\.entry)
        var memory = try memory(of: entries, session)
        var selected: [ReadingsRecord] = []
        for (record, entry) in zip(records, entries) {
            switch memory.isSame(entry) {
            case true?: outcome.known += 1
            case false?: outcome.refused[.contradicting, default: 0] += 1
            case nil:
                memory.remember(entry)
                selected.append(record)
            }
        }
        try write(memory, today: today, session)
        return selected
    }

    private struct RecordKey: Hashable {
        var receiver: Int64
        var position: RecordPosition
    }

    private static func key(_ row: [SQLValue]) -> [Int64] {
        row.compactMap { if case .integer(let number) = $0 { number } else { nil } }
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
