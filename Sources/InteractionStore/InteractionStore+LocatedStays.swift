package import Evidence
import FloorPlans
package import Localisation
package import Matching

extension InteractionStore {
    /// A located stay of a subject, by the subject's number.
    package struct SubjectStay: Equatable, Sendable {
        package var subject: Int64
        package var stay: SettledStay

        package init(subject: Int64, stay: SettledStay) {
            self.subject = subject
            self.stay = stay
        }
    }

    /// Longest stay in seconds. A longer one is stored in parts.
    package static let longestStay: Int64 = 6 * 3600

    /// Returns what was heard in a block.
    ///
    /// - Parameters:
    ///   - building: `site/building`, of whose receivers the listening is returned.
    ///   - subjects: only these; `nil`: all.
    /// - Throws: `StoreError`.
    package func heard(in block: ReadingBlock, building: String, of subjects: Set<Int64>? = nil) throws -> HeardBlock {
        try database.read { session in
            var heard = HeardBlock(block: block)
            let here = Set(try ReceiverDirectory(session).receivers(ofBuilding: building))
            try session.rows("listening", session.keys(here, of: block)) { row in
                heard.listening[ReadingKey(rawValue: row.integer(0)).number] = BlockListening(packed: row.blob(1))
            }
            func add(_ row: SQLRow) {
                heard.vectors[ReadingKey(rawValue: row.integer(0)).number] = BlockVectors(packed: row.blob(1))
            }
            if let subjects {
                try session.rows("vectors", session.keys(subjects, of: block)) { add($0) }
            } else {
                try session.query(
                    "SELECT id, content FROM vectors WHERE id >= $1 AND id < $2", Self.bounds(block)
                ) { add($0) }
            }
            return heard
        }
    }

    /// Returns the paths of receivers by their numbers.
    ///
    /// - Throws: `StoreError`.
    package func receiverPaths() throws -> [Int64: String] {
        try database.read { session in
            var paths: [Int64: String] = [:]
            try session.query("SELECT id, path FROM receiver") { paths[$0.integer(0)] = $0.text(1) ?? "" }
            return paths
        }
    }

    /// Returns the stays of subjects in a building that end after a time and begin before a block, by subject, oldest
    /// first.
    ///
    /// - Throws: `StoreError`.
    package func openStays(
        in building: String, endingAfter time: Int64, before block: ReadingBlock
    ) throws -> [Int64: [SettledStay]] {
        try database.read { session in
            var stays: [Int64: [SettledStay]] = [:]
            try session.query(
                "SELECT \(StoreSchema.locatedStayColumns.joined(separator: ", ")) FROM located_stay "
                    + "WHERE building = $1 AND ended > $2 AND started > $3 AND started < $4 "
                    + "ORDER BY subject, started",
                [
                    .text(building), .integer(time), .integer(time - 2 * Self.longestStay), .integer(block.start),
                ]
            ) { row in
                if let stay = row.locatedStay { stays[row.integer(0), default: []].append(stay) }
            }
            return stays
        }
    }

    /// Returns what is known of the powers of subjects.
    ///
    /// - Throws: `StoreError`.
    package func powers(of subjects: Set<Int64>) throws -> [Int64: TransmitPower] {
        try database.read { session in
            var powers: [Int64: TransmitPower] = [:]
            try session.query("SELECT subject, mean, variance FROM subject_power") { row in
                guard subjects.contains(row.integer(0)), row.integer(2) > 0 else { return }
                powers[row.integer(0)] = TransmitPower(
                    mean: Double(row.integer(1)) / 1000, variance: Double(row.integer(2)) / 1000)
            }
            return powers
        }
    }

    /// Stores the stays of a building's block.
    ///
    /// A stay that went on after the block ends with it. The next block is then located anew, where the stay goes on.
    ///
    /// - Parameters:
    ///   - task: the block, as `nextBlock` gave it: readings of it that have come meanwhile are not forgotten.
    ///   - stays: stays by subject, with the time from which on those of the block are replaced.
    ///   - powers: what is known of powers, of the same subjects.
    ///   - subjects: the subjects that the numbers stood for when the block was read; others are left out.
    /// - Throws: `StoreError`.
    package func setLocatedStays(
        _ stays: [Int64: (from: Int64, stays: [SettledStay])], powers: [Int64: TransmitPower],
        of subjects: [Int64: SubjectIdentity], in building: String, _ task: LocatingTask
    ) throws {
        let end = task.block.end
        try storing { session in
            var rows: [[SQLValue]] = []
            var powerRows: [[SQLValue]] = []
            var isCut = false
            for (number, located) in stays.sorted(by: { $0.key < $1.key }) {
                // The subject may have been erased, and its number given to another one.
                guard let subject = subjects[number],
                    try session.first(
                        "SELECT 1 FROM subject WHERE id = $1 AND kind = $2 AND name = $3",
                        [.integer(number), .text(subject.kind), .text(subject.id)], { _ in true }) == true
                else { continue }
                let (here, from, until) = (
                    [SQLValue.integer(number), .text(building)], SQLValue.integer(located.from), SQLValue.integer(end)
                )
                let crossing = try session.first(
                    "SELECT count(*) FROM located_stay WHERE subject = $1 AND building = $2 AND started < $3 "
                        + "AND ended > $3", here + [until]
                ) { $0.integer(0) }
                isCut = isCut || crossing ?? 0 > 0
                try session.execute(
                    "DELETE FROM located_stay WHERE subject = $1 AND building = $2 AND started >= $3 AND started < $4",
                    here + [from, until])
                try session.execute(
                    "UPDATE located_stay SET ended = $3 WHERE subject = $1 AND building = $2 AND started < $3 "
                        + "AND ended > $3", here + [from])
                rows += located.stays.map { $0.row(of: number, in: building) }
                if let power = powers[number] {
                    powerRows.append([
                        .integer(number), .integer(Int64((power.mean * 1000).rounded())),
                        .integer(Int64((power.variance * 1000).rounded())),
                    ])
                }
            }
            try session.insert(StoreSchema.locatedStayInsertion, rows: rows) { _ in }
            try session.insert(StoreSchema.subjectPowerInsertion, rows: powerRows) { _ in }
            try session.execute(
                "INSERT INTO located_until (building, until) VALUES ($1, $2) ON CONFLICT (building) DO UPDATE SET "
                    + "until = CASE WHEN excluded.until > located_until.until THEN excluded.until "
                    + "ELSE located_until.until END",
                [.text(building), .integer(end)])
            try session.execute(
                "DELETE FROM relocation WHERE building = $1 AND block = $2 AND revision = $3",
                [.text(building), .integer(task.block.number), .integer(task.revision)])
            if isCut { try session.relocate(building, from: ReadingBlock(number: task.block.number + 1)) }
        }
    }

    /// Returns the stays of a subject that touch a period, oldest first.
    ///
    /// - Throws: `StoreError`.
    package func locatedStays(of subject: Int64, from start: Int64, to end: Int64) throws -> [SettledStay] {
        try database.read { try $0.locatedStays(of: subject, from: start, to: end) }
    }

    /// Returns the stays on a floor that touch a period.
    ///
    /// - Throws: `StoreError`.
    package func locatedStays(on floor: String, from start: Int64, to end: Int64) throws -> [SubjectStay] {
        try database.read { try $0.locatedStays(on: floor, from: start, to: end) }
    }

    /// Deletes stays that ended before a time.
    ///
    /// - Returns: their number.
    func deleteLocatedStays(before limit: Int64, after tooLate: Int64?) throws -> Int {
        try database.write { session in
            try session.lockShared()
            var count = try session.execute("DELETE FROM located_stay WHERE ended < $1", [.integer(limit)])
            if let tooLate {
                count += try session.execute("DELETE FROM located_stay WHERE started > $1", [.integer(tooLate)])
                try session.execute("UPDATE located_until SET until = $1 WHERE until > $1", [.integer(tooLate)])
            }
            try session.execute(
                "DELETE FROM relocation WHERE block < $1", [.integer(ReadingBlock(containing: max(0, limit)).number)])
            return count
        }
    }

    /// Removes the positions of a subject.
    ///
    /// - Returns: the number of stays.
    func eraseLocatedStays(of subject: Int64, _ session: any SQLSession) throws -> Int {
        try session.execute("DELETE FROM subject_power WHERE subject = $1", [.integer(subject)])
        return try session.execute("DELETE FROM located_stay WHERE subject = $1", [.integer(subject)])
    }
}

extension SQLSession {
    func locatedStays(of subject: Int64, from start: Int64, to end: Int64) throws -> [SettledStay] {
        var stays: [SettledStay] = []
        try query(
            "SELECT \(StoreSchema.locatedStayColumns.joined(separator: ", ")) FROM located_stay "
                + "WHERE subject = $1 AND started < $2 AND ended > $3 ORDER BY started",
            [.integer(subject), .integer(end), .integer(start)]
        ) { row in
            if let stay = row.locatedStay { stays.append(stay) }
        }
        return stays
    }

    func locatedStays(
        on floor: String, from start: Int64, to end: Int64
    ) throws -> [InteractionStore.SubjectStay] {
        var stays: [InteractionStore.SubjectStay] = []
        try query(
            "SELECT \(StoreSchema.locatedStayColumns.joined(separator: ", ")) FROM located_stay "
                + "WHERE floor = $1 AND started > $2 AND started < $3 AND ended > $4 ORDER BY started, subject",
            [
                .text(floor), .integer(start - 2 * InteractionStore.longestStay), .integer(end), .integer(start),
            ]
        ) { row in
            if let stay = row.locatedStay { stays.append(.init(subject: row.integer(0), stay: stay)) }
        }
        return stays
    }
}

extension SettledStay {
    /// Values in the order of `StoreSchema.locatedStayColumns`.
    fileprivate func row(of subject: Int64, in building: String) -> [SQLValue] {
        [
            .integer(subject), .integer(start), .integer(end), .text(building), .text(floor), .text(room),
            .integer(Int64((probability * 1000).rounded())), .integer(position.x.millimetres),
            .integer(position.y.millimetres), .integer(radius.millimetres), .integer(isSurveyed ? 1 : 0),
            .blob(rooms.packed),
        ]
    }
}

extension SQLRow {
    /// The columns of `StoreSchema.locatedStayColumns`; `nil` for a damaged row.
    var locatedStay: SettledStay? {
        guard let floor = text(4), let rooms = SettledSquares(packed: blob(11)) else { return nil }
        return SettledStay(
            start: integer(1), end: integer(2), floor: floor, room: text(5), probability: Double(integer(6)) / 1000,
            position: PlanPoint(x: metres(7), y: metres(8)), radius: metres(9), isSurveyed: integer(10) != 0,
            rooms: rooms)
    }
}
