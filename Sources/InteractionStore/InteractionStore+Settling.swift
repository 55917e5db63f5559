import Matching

extension InteractionStore {
    /// What settling readings has done.
    public struct Settling: Equatable, Sendable {
        /// Blocks of a building.
        public var blocks = 0
        /// Minutes in which a subject was heard.
        public var badgeMinutes = 0
        /// Receivers that claim too much and aren't believed, by path.
        public var disbelieved: Set<String> = []
        /// Badge minutes that weren't compared, because too many subjects were on their floor.
        public var leftOut = 0

        public init() {}
    }

    /// Whether readings wait that could be settled.
    ///
    /// - Parameter time: only blocks that ended until then, in seconds since 1970.
    /// - Throws: `StoreError`.
    public func hasUnsettledReadings(before time: Int64) throws -> Bool {
        try database.read { session in
            try session.first(
                "SELECT 1 FROM reading WHERE block < $1 LIMIT 1", [.integer(ReadingBlock(containing: time).number)]
            ) { _ in true } ?? false
        }
    }

    /// Makes vectors of the readings of one building in one block, and finds who looked alike. What comes late is added to
    /// what is there: the same records give the same rows, in whatever order they came.
    ///
    /// - Parameters:
    ///   - time: blocks that ended until then are settled, the oldest first; seconds since 1970.
    ///   - now: seconds since 1970.
    /// - Returns: `nil` when there is nothing to settle.
    /// - Throws: `StoreError`.
    public func settleReadings(before time: Int64, now: Int64) throws -> Settling? {
        let last = ReadingBlock(containing: time).number - 1
        let fixed = try fixedSubjects(since: now - Self.day)
        return try storing { session in
            try session.lockSettling()
            guard
                let number = try session.first(
                    "SELECT block FROM reading WHERE block <= $1 ORDER BY block LIMIT 1", [.integer(last)],
                    { $0.integer(0) })
            else { return nil }
            let block = ReadingBlock(number: number)
            let path = try session.first(
                "SELECT r.path FROM reading d JOIN receiver r ON r.id = d.receiver WHERE d.block = $1 "
                    + "ORDER BY d.receiver LIMIT 1", [.integer(number)]
            ) { $0.text(0) ?? "" }
            guard let path, block.number == number else {
                // Of a receiver that nobody knows any more, or of a time that can't be.
                try session.execute("DELETE FROM reading WHERE block = $1", [.integer(number)])
                return Settling()
            }
            return try settle(block, ofBuilding: ReceiverDirectory.building(of: path), fixed, session)
        }
    }

    /// Settles everything that ended until a time.
    ///
    /// - Throws: `StoreError`.
    public func settleAllReadings(before time: Int64, now: Int64) throws -> Settling {
        var total = Settling()
        while let settling = try settleReadings(before: time, now: now) {
            total.blocks += settling.blocks
            total.badgeMinutes += settling.badgeMinutes
            total.leftOut += settling.leftOut
            total.disbelieved.formUnion(settling.disbelieved)
        }
        return total
    }

    private func settle(
        _ block: ReadingBlock, ofBuilding building: String, _ fixed: Set<Int64>, _ session: any SQLSession
    ) throws -> Settling {
        let directory = try ReceiverDirectory(session)
        let unsettled = try UnsettledBlock(block, building: building, directory, session)
        let subjects = unsettled.subjects
        try makeReadingPartitions([block.day], session)
        var contents = unsettled.contents
        // Who is heard in several buildings is where those of one heard them loudest: all of them have a say.
        try contents.add(listeningOf: block, session)
        let here = contents.receivers(ofBuildings: [building])
        let isLate = !Set(try session.listeners(in: block)).isDisjoint(with: here)
        if isLate {
            // All of the building is compared anew.
            try contents.add(settledOf: block, heardBy: here, session)
        } else {
            // Whoever was in another building as well has a row already.
            try contents.add(vectorsOf: subjects, block, session)
        }
        contents.limit()
        let receivers = contents.receivers
        let computation = BlockComputation(receivers: receivers, fixed: fixed)
        var buildings: Set<String> = [building]
        if contents.vectors.values.contains(where: { $0.isHeard { !here.contains($0) } }) {
            // What came may have moved somebody to another building, or away from there.
            let floors = computation.floors(contents.vectors)
            buildings.formUnion(contents.buildings(ofFloors: floors))
            try contents.add(settledOf: block, heardBy: contents.receivers(ofBuildings: buildings), session)
            contents.limit()
        }
        let compared = contents.receivers(ofBuildings: buildings).compactMap { receivers[$0]?.place.floor }
        let result = computation.result(contents.vectors, on: Set(compared))
        func rows<Value>(_ values: [Int64: Value], _ packed: (Value) -> [UInt8]) -> [[SQLValue]] {
            values.sorted { $0.key < $1.key }.map {
                [.integer(ReadingKey(block, $0.key).rawValue), .blob(packed($0.value))]
            }
        }
        try session.insert(
            StoreSchema.readingRowInsertion("listening"),
            rows: rows(receivers.filter { here.contains($0.key) }) { $0.listening.packed }
        ) { _ in }
        try session.insert(
            StoreSchema.readingRowInsertion("vectors"),
            rows: rows(contents.vectors.filter { subjects.contains($0.key) }) { $0.packed }
        ) { _ in }
        let companies = try session.companies(result, in: block)
        try session.insert(
            StoreSchema.readingRowInsertion("company"), rows: rows(companies.filter { !$0.value.isEmpty }) { $0.packed }
        ) { _ in }
        for subject in companies.filter(\.value.isEmpty).keys.sorted() {
            try session.execute("DELETE FROM company WHERE id = $1", [.integer(ReadingKey(block, subject).rawValue)])
        }
        try session.deleteReadings(unsettled.keys, of: block)
        var settling = Settling()
        settling.blocks = 1
        settling.badgeMinutes = contents.vectors.values.reduce(0) { $0 + $1.heardMinutes }
        settling.leftOut = result.leftOut
        settling.disbelieved = Set(result.disbelieved.compactMap { directory[$0]?.path })
        for receiver in result.disbelieved.sorted() {
            try session.doubt(receiver, .claims, from: block.start, to: block.end, amount: 1)
        }
        return settling
    }

    static func bounds(_ block: ReadingBlock) -> [SQLValue] {
        [.integer(ReadingKey.first(block)), .integer(ReadingKey.first(ReadingBlock(number: block.number + 1)))]
    }
}

/// Why a receiver isn't relied on.
public enum ReceiverDoubt: String, Sendable, CaseIterable {
    /// It claims to have heard many subjects loudest that nobody else on its floor heard.
    case claims
    /// Its clock is off, as people's walks show; the amount is seconds by which it is ahead.
    case clock
}

extension SQLSession {
    /// Receivers that are settled in a block.
    fileprivate func listeners(in block: ReadingBlock) throws -> [Int64] {
        var receivers: [Int64] = []
        try query("SELECT id FROM listening WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)) { row in
            receivers.append(ReadingKey(rawValue: row.integer(0)).number)
        }
        return receivers
    }

    /// The rows of everybody who was compared, and of those with whom they aren't together any more: minutes that somebody
    /// was in another building are left as they are. Each pair is in both rows or in none.
    fileprivate func companies(
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
            changed[subject] = company
        }
        // Pairs that are no more.
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

    /// Against others who settle.
    fileprivate func lockSettling() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(0x6265_6163 + 2))") { _ in }
    }

    /// Remembers since when and until when a receiver was doubtful, and by how much at last.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: the same.
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
