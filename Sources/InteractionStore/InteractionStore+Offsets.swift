/// Offsets of receivers that were learnt, in versions.
extension InteractionStore {
    /// Offsets of a building's receivers that were learnt at one time.
    package struct OffsetVersion: Equatable, Sendable {
        /// `site/building`.
        package var building: String
        /// Time at which they were learnt, in seconds since 1970.
        package var learntAt: Int64
        /// Offsets in dB by the paths of receivers.
        package var offsets: [String: Double]
        /// Whether models use them now.
        package var isUsed: Bool
    }

    /// Number of versions that are kept of each building.
    private static let mostVersions: Int64 = 14

    /// Returns all versions, those of one building together, the newest first.
    ///
    /// - Throws: `StoreError`.
    package func offsetVersions() throws -> [OffsetVersion] {
        try database.read { session in
            var used: [String: Int64] = [:]
            try session.query("SELECT building, learnt FROM offset_use") { used[$0.text(0) ?? ""] = $0.integer(1) }
            var versions: [OffsetVersion] = []
            try session.query(
                "SELECT building, learnt, receiver, decibels FROM receiver_offset "
                    + "ORDER BY building, learnt DESC, receiver"
            ) { row in
                let (building, learntAt) = (row.text(0) ?? "", row.integer(1))
                if versions.last?.building != building || versions.last?.learntAt != learntAt {
                    versions.append(
                        OffsetVersion(
                            building: building, learntAt: learntAt, offsets: [:], isUsed: used[building] == learntAt))
                }
                versions[versions.count - 1].offsets[row.text(2) ?? ""] = Double(row.integer(3)) / 100
            }
            return versions
        }
    }

    /// Returns the offsets that models use, in dB by the paths of receivers.
    ///
    /// - Throws: `StoreError`.
    package func usedOffsets() throws -> [String: Double] {
        try database.read { session in
            var offsets: [String: Double] = [:]
            try session.query(
                "SELECT o.receiver, o.decibels FROM receiver_offset o JOIN offset_use u "
                    + "ON u.building = o.building AND u.learnt = o.learnt"
            ) { offsets[$0.text(0) ?? ""] = Double($0.integer(1)) / 100 }
            return offsets
        }
    }

    /// Stores a new version, and has models use it unless somebody has gone back to an earlier one.
    ///
    /// - Parameters:
    ///   - offsets: in dB by the paths of receivers.
    ///   - building: `site/building`.
    ///   - now: seconds since 1970.
    /// - Returns: whether models use it.
    /// - Throws: `StoreError`.
    package func add(offsets: [String: Double], in building: String, now: Int64) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let rows = offsets.sorted { $0.key < $1.key }.map { receiver, offset in
                [
                    .text(building), .integer(now), .text(receiver), .integer(Int64((offset * 100).rounded())),
                ] as [SQLValue]
            }
            try session.insert(StoreSchema.offsetInsertion, rows: rows) { _ in }
            try session.execute(
                "INSERT INTO offset_use (building, learnt, pinned) VALUES ($1, $2, 0) ON CONFLICT (building) "
                    + "DO UPDATE SET learnt = excluded.learnt WHERE offset_use.pinned = 0",
                [.text(building), .integer(now)])
            try session.execute(
                "DELETE FROM receiver_offset WHERE building = $1 AND learnt <> (SELECT learnt FROM offset_use "
                    + "WHERE building = $1) AND learnt NOT IN (SELECT DISTINCT learnt FROM receiver_offset "
                    + "WHERE building = $1 ORDER BY learnt DESC LIMIT \(Self.mostVersions))", [.text(building)])
            return try session.first("SELECT learnt FROM offset_use WHERE building = $1", [.text(building)]) {
                $0.integer(0)
            } == now
        }
    }

    /// Has models of a building use no offsets, unless somebody has gone back to a version.
    ///
    /// - Throws: `StoreError`.
    package func useNoOffsets(in building: String) throws {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE offset_use SET learnt = 0 WHERE building = $1 AND pinned = 0", [.text(building)])
        }
    }

    /// Has models of a building use the version before the present one, and keep it when others are learnt.
    ///
    /// - Returns: the time at which that version was learnt; 0 if there is none, so that models use no offsets.
    /// - Throws: `StoreError`.
    package func goBack(in building: String) throws -> Int64 {
        try database.write { session in
            try session.lockShared()
            let before =
                try session.first(
                    "SELECT max(learnt) FROM receiver_offset WHERE building = $1 "
                        + "AND learnt < (SELECT learnt FROM offset_use WHERE building = $1)", [.text(building)]
                ) { $0.optionalInteger(0) } ?? nil
            try session.execute(
                "INSERT INTO offset_use (building, learnt, pinned) VALUES ($1, $2, 1) ON CONFLICT (building) "
                    + "DO UPDATE SET learnt = excluded.learnt, pinned = 1",
                [.text(building), .integer(before ?? 0)])
            return before ?? 0
        }
    }

    /// Has models of a building use the newest version, and those that are learnt from now on.
    ///
    /// - Returns: the time at which it was learnt; 0 if there is none.
    /// - Throws: `StoreError`.
    package func useNewestOffsets(in building: String) throws -> Int64 {
        try database.write { session in
            try session.lockShared()
            let newest =
                try session.first(
                    "SELECT max(learnt) FROM receiver_offset WHERE building = $1", [.text(building)]
                ) { $0.optionalInteger(0) } ?? nil
            try session.execute(
                "INSERT INTO offset_use (building, learnt, pinned) VALUES ($1, $2, 0) ON CONFLICT (building) "
                    + "DO UPDATE SET learnt = excluded.learnt, pinned = 0",
                [.text(building), .integer(newest ?? 0)])
            return newest ?? 0
        }
    }
}
