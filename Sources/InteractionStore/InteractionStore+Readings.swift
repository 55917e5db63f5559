import Evidence
import Matching
import RecordContract

extension InteractionStore {
    /// Returns the readings whose gateway and time are accepted.
    func acceptedReadings(
        of records: [ReceivedRecord], now: Int64, _ clockIsSynchronized: Bool, _ outcome: inout Outcome
    ) -> [ReadingsRecord] {
        var accepted: [ReadingsRecord] = []
        for case .readings(let record) in records {
            let outOfTime =
                clockIsSynchronized
                ? refusal(from: record.start, to: record.end, keptFor: readingRetention, now: now)
                : admits(start: record.start, of: record.gateway, now: now) ? nil : .manyDays
            if let refusal = distrusted(record.gateway) ?? outOfTime
                ?? exhausted(record.gateway, receiver: record.receiver, start: record.start, now: now)
            {
                outcome.refused[refusal, default: 0] += 1
            } else {
                accepted.append(record)
            }
        }
        return accepted
    }

    /// Stores records of readings as received; `settleReadings` computes vectors from them.
    ///
    /// Subjects that were erased since a record's time are removed from the record.
    ///
    /// - Parameters:
    ///   - memory: memory of the blocks of the records.
    ///   - today: days since 1970.
    func store(
        readings: [ReadingsRecord], now: Int64, today: Int64, _ memory: inout PositionMemory,
        _ session: any SQLSession, _ outcome: inout Outcome
    ) throws {
        guard !readings.isEmpty else { return }
        var accepted = selected(readings, &memory, now: now, &outcome)
        for index in accepted.indices {
            let start = accepted[index].start
            accepted[index].subjects.removeAll { wasErased($0.identity, since: start) || isProof($0.identity) }
        }
        var claims = claims(today: today)
        let numbers = try names.numbers(of: accepted, &claims, today: today, session)
        outcome.refusedClaims.formUnion(claims.refusals)
        charge(accepted, for: numbers.newSubjects, now: now)
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
        // The same order everywhere, so that two processes do not deadlock.
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

    /// Returns the records whose boot and sequence are new for their gateway, settled or not, and for which there is
    /// room. Of two records with the same position, the first counts.
    private func selected(
        _ records: [ReadingsRecord], _ memory: inout PositionMemory, now: Int64, _ outcome: inout Outcome
    ) -> [ReadingsRecord] {
        var selected: [ReadingsRecord] = []
        for record in records {
            let entry = record.entry
            switch memory.isSame(entry) {
            case true?: outcome.known += 1
            case false?: outcome.refused[.contradicting, default: 0] += 1
            case nil:
                let blocks = Set(record.minutes.map { ReadingBlock(containing: $0).number })
                let more = memory.isNew(entry) ? IngestQuota.block : 0
                guard takeRoom(readings: record, inBlocks: blocks, and: more, now: now) else {
                    outcome.refused[.overQuota, default: 0] += 1
                    continue
                }
                memory.remember(entry)
                selected.append(record)
            }
        }
        return selected
    }

    /// Charges names that only readings have to the first record that names each: they cost more than the readings
    /// themselves.
    private func charge(_ records: [ReadingsRecord], for newSubjects: Set<SubjectIdentity>, now: Int64) {
        var new = newSubjects
        for record in records where !new.isEmpty {
            let count = record.subjects.count { new.remove($0.identity) != nil }
            if count == 0 { continue }
            addRoom(IngestQuota.name * Int64(count), of: record.gateway, start: record.start, now: now)
        }
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
    /// Returns a row for each block of a record: one, or two for a minute that begins in one block and ends in the
    /// next.
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
