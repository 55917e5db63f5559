import Matching

extension InteractionStore {
    /// Gives waiting entries of the list of positives their slots: of each report in turn, in the order in which they came.
    /// Which slots is drawn: whoever finds an entry, or has one, learns nothing of how many there are beside it.
    ///
    /// - Parameters:
    ///   - slots: of one scheme; those that are taken stay taken.
    ///   - admits: whether a slot may have a value.
    /// - Throws: `StoreError`.
    package func publish(
        scheme: String, slots: Range<Int64>, _ admits: (_ slot: Int64, _ value: String) -> Bool = { _, _ in true }
    ) throws {
        var generator = SystemRandomNumberGenerator()
        try publish(scheme: scheme, slots: slots, using: &generator, admits)
    }

    /// The same, with a generator of one's own.
    ///
    /// - Parameter generator: by which slots are drawn.
    /// - Throws: `StoreError`.
    package func publish(
        scheme: String, slots: Range<Int64>, using generator: inout some RandomNumberGenerator,
        _ admits: (_ slot: Int64, _ value: String) -> Bool = { _, _ in true }
    ) throws {
        try removeUnlinked(scheme: scheme, before: slots)
        let isAnyoneWaiting = try database.read { session in
            try session.first(
                "SELECT 1 FROM positive WHERE scheme = $1 AND slot IS NULL AND pending = 0 LIMIT 1", [.text(scheme)]
            ) { _ in true }
        }
        guard isAnyoneWaiting ?? false else { return }
        try database.write { session in
            // Two that publish at once would give a slot twice.
            try session.lockExclusively()
            var taken: Set<Int64> = []
            try session.query(
                "SELECT slot FROM positive WHERE scheme = $1 AND slot >= $2 AND slot < $3",
                [.text(scheme), .integer(slots.lowerBound), .integer(slots.upperBound)]
            ) { taken.insert($0.integer(0)) }
            var free = slots.filter { !taken.contains($0) }
            guard !free.isEmpty else { return }
            free.shuffle(using: &generator)
            var waiting: [(id: Int64, value: String)] = []
            try session.query(
                // What another report has shown is there until it goes, or is too old to be shown.
                "SELECT id, value FROM (SELECT id, value, row_number() OVER (PARTITION BY report ORDER BY id) AS turn "
                    + "FROM positive p WHERE scheme = $1 AND slot IS NULL AND pending = 0 AND NOT EXISTS (SELECT 1 FROM positive o "
                    + "WHERE o.scheme = p.scheme AND o.value = p.value AND o.pending = 0 AND o.slot >= $2)) AS waiting "
                    + "WHERE turn <= $3 ORDER BY turn, id LIMIT 1000",
                [
                    .text(scheme), .integer(slots.lowerBound - Int64(slots.count) * Self.shownEpochs),
                    // Of one report at most half, whatever else waits: who sees their own learns little of others.
                    .integer(Int64(max(1, slots.count / 2))),
                ]
            ) { waiting.append(($0.integer(0), $0.text(1) ?? "")) }
            var shown: Set<String> = []
            for (id, value) in waiting where shown.insert(value).inserted {
                guard let index = free.firstIndex(where: { admits($0, value) }) else { continue }
                let slot = free.remove(at: index)
                try session.execute("UPDATE positive SET slot = $1 WHERE id = $2", [.integer(slot), .integer(id)])
                if free.isEmpty { break }
            }
        }
    }

    /// Published entries of a scheme, by slot.
    ///
    /// - Throws: `StoreError`.
    package func published(scheme: String, slots: Range<Int64>) throws -> [Int64: String] {
        try database.read { session in
            var values: [Int64: String] = [:]
            try session.query(
                "SELECT slot, value FROM positive WHERE scheme = $1 AND slot >= $2 AND slot < $3 AND pending <> 2",
                [.text(scheme), .integer(slots.lowerBound), .integer(slots.upperBound)]
            ) { values[$0.integer(0)] = $0.text(1) }
            return values
        }
    }

    /// For how long an entry of somebody who was erased stays, in epochs of 5 minutes: somewhat longer than the list shows it.
    private static let shownEpochs: Int64 = 15 * 288

    /// - Parameter slots: of one epoch.
    private func removeUnlinked(scheme: String, before slots: Range<Int64>) throws {
        let arguments: [SQLValue] = [
            .text(scheme), .integer(PositiveReport.Entry.unlinked),
            .integer(slots.lowerBound - Int64(slots.count) * Self.shownEpochs),
        ]
        let condition = "scheme = $1 AND report = $2 AND slot < $3"
        let isAnyThere = try database.read { session in
            try session.first("SELECT 1 FROM positive WHERE \(condition) LIMIT 1", arguments) { _ in true }
        }
        guard isAnyThere ?? false else { return }
        try database.write { session in
            try session.lockShared()
            try session.execute("DELETE FROM positive WHERE \(condition)", arguments)
        }
    }
}

extension PositiveReport.Entry {
    /// Stands for the report of entries whose subject was erased.
    static let unlinked: Int64 = -1
}

extension SQLSession {
    /// What was shown of an erased subject stays until it is too old to be shown: one entry that changes would tell whose
    /// it was. What nobody has seen goes.
    ///
    /// - Parameter listed: what the list has in the place of the subject's name.
    func unlinkShownPositives(of subject: SubjectIdentity, listed: [String]) throws {
        let reports = "(SELECT report FROM report_subject WHERE name = $1 AND kind = $2)"
        let name: [SQLValue] = [.text(subject.id), .text(subject.kind)]
        try execute("DELETE FROM positive WHERE slot IS NULL AND report IN \(reports)", name)
        try execute(
            "UPDATE positive SET report = $3 WHERE report IN \(reports)",
            name + [.integer(PositiveReport.Entry.unlinked)])
        for value in listed {
            try execute("DELETE FROM positive WHERE slot IS NULL AND value = $1", [.text(value)])
            try execute(
                "UPDATE positive SET report = $2 WHERE value = $1",
                [.text(value), .integer(PositiveReport.Entry.unlinked)])
        }
    }
}
