import Matching

extension InteractionStore {
    /// Assigns slots to waiting entries of the list of positives: to each report in turn, in the order of their
    /// arrival. The slots are drawn at random, so a reader who finds an entry, or has one, learns nothing about the
    /// number of entries beside it.
    ///
    /// - Parameters:
    ///   - slots: slots of one scheme; slots that are taken stay taken.
    ///   - admits: whether a slot can have a value.
    /// - Throws: `StoreError`.
    package func publish(
        scheme: String, slots: Range<Int64>, _ admits: (_ slot: Int64, _ value: String) -> Bool = { _, _ in true }
    ) throws {
        var generator = SystemRandomNumberGenerator()
        try publish(scheme: scheme, slots: slots, using: &generator, admits)
    }

    /// Assigns slots to waiting entries, with a given generator.
    ///
    /// - Parameter generator: generator with which slots are drawn.
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
            // Two processes that publish at once would assign a slot twice.
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
                // A value that another report has published stays until it is removed, or is too old to be shown.
                "SELECT id, value FROM (SELECT id, value, row_number() OVER (PARTITION BY report ORDER BY id) AS turn "
                    + "FROM positive p WHERE scheme = $1 AND slot IS NULL AND pending = 0 AND NOT EXISTS (SELECT 1 FROM positive o "
                    + "WHERE o.scheme = p.scheme AND o.value = p.value AND o.pending = 0 AND o.slot >= $2)) AS waiting "
                    + "WHERE turn <= $3 ORDER BY turn, id LIMIT 1000",
                [
                    .text(scheme), .integer(slots.lowerBound - Int64(slots.count) * Self.shownEpochs),
                    // At most half of the slots for one report, whatever else waits: a reader who sees their own
                    // entries learns little about others.
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

    /// Returns the published entries of a scheme, by slot.
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

    /// Epochs of 5 minutes for which an entry of an erased subject stays: somewhat longer than the list shows it.
    private static let shownEpochs: Int64 = 15 * 288

    /// Removes entries of erased subjects that are too old to be shown.
    ///
    /// - Parameter slots: slots of one epoch.
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
    /// Report number of entries whose subject was erased.
    static let unlinked: Int64 = -1
}

extension SQLSession {
    /// Detaches published entries from an erased subject. They stay until they are too old to be shown: a single entry
    /// that changes would reveal its owner. Entries that were never published are deleted.
    ///
    /// - Parameter listed: the entries that stand for the subject in the list.
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
