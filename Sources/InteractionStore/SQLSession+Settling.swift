import Evidence
import Matching

extension SQLSession {
    /// Returns how the receivers that are settled in a block listened.
    func listening(in block: ReadingBlock) throws -> [Int64: BlockListening] {
        var listening: [Int64: BlockListening] = [:]
        try query("SELECT id, content FROM listening WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)) {
            row in
            listening[ReadingKey(rawValue: row.integer(0)).number] =
                BlockListening(packed: row.blob(1)) ?? BlockListening()
        }
        return listening
    }

    /// Writes how receivers listened, where that differs from the stored value.
    func write(
        _ receivers: [Int64: BlockComputation.Receiver], _ known: [Int64: BlockListening], of block: ReadingBlock
    ) throws {
        let changed = receivers.filter { known[$0.key] != $0.value.listening }
        try write(changed.mapValues { $0.listening.packed }, to: "listening", of: block)
    }

    /// Returns the settled vectors of some subjects as they are stored.
    func packedVectors(of subjects: Set<Int64>, in block: ReadingBlock) throws -> [Int64: [UInt8]] {
        var vectors: [Int64: [UInt8]] = [:]
        try rows("vectors", keys(subjects, of: block)) { row in
            vectors[ReadingKey(rawValue: row.integer(0)).number] = row.blob(1)
        }
        return vectors
    }

    /// Writes the vectors of subjects, where they differ from the stored ones.
    func write(vectors: [Int64: BlockVectors], _ settled: [Int64: [UInt8]], of block: ReadingBlock) throws {
        let packed = vectors.mapValues { $0.packed }
        try write(packed.filter { settled[$0.key] != $0.value }, to: "vectors", of: block)
    }

    /// Writes the company of subjects. The row of a subject without company is deleted.
    func write(companies: [Int64: BlockCompany], of block: ReadingBlock) throws {
        try write(companies.filter { !$0.value.isEmpty }.mapValues { $0.packed }, to: "company", of: block)
        for subject in companies.filter(\.value.isEmpty).keys.sorted() {
            try execute("DELETE FROM company WHERE id = $1", [.integer(ReadingKey(block, subject).rawValue)])
        }
    }

    /// Writes rows of a table of readings, by the numbers of their subjects or receivers.
    private func write(_ contents: [Int64: [UInt8]], to table: String, of block: ReadingBlock) throws {
        // The same order everywhere, so that two processes do not deadlock.
        let rows = contents.sorted { $0.key < $1.key }.map { number, content -> [SQLValue] in
            [.integer(ReadingKey(block, number).rawValue), .blob(content)]
        }
        try insert(StoreSchema.readingRowInsertion(table), rows: rows) { _ in }
    }

    /// Returns the changed rows of all compared subjects, and of the subjects that are no longer together with them.
    /// Minutes in which a subject was in another building are left as they are. Each pair is in both rows or in
    /// neither.
    func companies(
        _ result: BlockComputation.Result, in block: ReadingBlock
    ) throws -> [Int64: BlockCompany] {
        var before: [Int64: BlockCompany] = [:]
        func read(_ subjects: some Sequence<Int64>) throws {
            try rows("company", keys(subjects, of: block)) { row in
                before[ReadingKey(rawValue: row.integer(0)).number] = BlockCompany(packed: row.blob(1))
            }
        }
        try read(result.minutes.keys)
        guard !before.isEmpty else { return result.company }
        var changed: [Int64: BlockCompany] = [:]
        for (subject, minutes) in result.minutes {
            var company = before[subject] ?? BlockCompany()
            company.take(minutes, of: result.company[subject] ?? BlockCompany())
            if company != before[subject] ?? BlockCompany() { changed[subject] = company }
        }
        // Pairs that no longer exist.
        var gone: [(other: Int64, subject: Int64, minutes: UInt16)] = []
        for (subject, minutes) in result.minutes {
            for old in before[subject]?.others ?? [] {
                let lost = old.levels.minutes & minutes & ~(result.company[subject]?[old.subject]?.minutes ?? 0)
                if lost != 0 { gone.append((old.subject, subject, lost)) }
            }
        }
        try read(Set(gone.map(\.other)).subtracting(result.minutes.keys))
        for pair in gone {
            guard var company = changed[pair.other] ?? before[pair.other] else { continue }
            if company.strike(pair.minutes, with: pair.subject) { changed[pair.other] = company }
        }
        return changed
    }

    /// Locks out other sessions that settle, until the end of the transaction.
    func lockSettling() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(0x6265_6163 + 2))") { _ in }
    }

    /// Records the period in which a receiver was doubtful, and the latest amount.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: seconds since 1970.
    func doubt(
        _ receiver: Int64, _ kind: ReceiverDoubt, from since: Int64, to until: Int64, amount: Int64
    ) throws {
        try execute(
            "INSERT INTO receiver_doubt (receiver, kind, since, until, amount) VALUES ($1, $2, $3, $4, $5) "
                + "ON CONFLICT (receiver, kind) DO UPDATE SET "
                + "since = CASE WHEN excluded.since < receiver_doubt.since THEN excluded.since ELSE receiver_doubt.since END, "
                + "amount = CASE WHEN excluded.until >= receiver_doubt.until THEN excluded.amount ELSE receiver_doubt.amount END, "
                + "until = CASE WHEN excluded.until > receiver_doubt.until THEN excluded.until ELSE receiver_doubt.until END",
            [.integer(receiver), .text(kind.rawValue), .integer(since), .integer(until), .integer(amount)])
    }
}
