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

    /// Which offsets the models of a building use.
    package struct OffsetUse: Equatable, Sendable {
        /// `site/building`.
        package var building: String
        /// Time at which the used version was learnt, in seconds since 1970; `nil` if no offsets are used.
        package var learntAt: Int64?
        /// Whether somebody has gone back, so that no night changes what is used.
        package var isPinned: Bool
        /// Time of the last look that chose, if it chose no offsets, in seconds since 1970.
        package var noneChosenAt: Int64?
    }

    /// Returns which offsets the models of each building use, in the order of the buildings; those for which none were
    /// ever learnt are left out.
    ///
    /// - Throws: `StoreError`.
    package func offsetUses() throws -> [OffsetUse] {
        try database.read { session in
            var uses: [OffsetUse] = []
            try session.query(
                "SELECT u.building, u.learnt, u.pinned, n.decided, n.chosen FROM offset_use u "
                    + "LEFT JOIN receiver_night n ON n.building = u.building"
            ) { row in
                let (learntAt, decidedAt) = (row.integer(1), row.integer(3))
                uses.append(
                    OffsetUse(
                        building: row.text(0) ?? "", learntAt: learntAt == 0 ? nil : learntAt,
                        isPinned: row.integer(2) != 0,
                        noneChosenAt: decidedAt != 0 && row.integer(4) == 0 ? decidedAt : nil))
            }
            return uses.sorted { $0.building < $1.building }
        }
    }

    /// Has models of a building use what was used before the present offsets, and keep it whatever nights choose.
    ///
    /// That is the version before the present one, and no offsets before the oldest. If the last night chose no
    /// offsets, it is the newest version that is older than that night's look.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: the time at which that version was learnt; 0 if there is none, so that models use no offsets.
    /// - Throws: `StoreError`.
    package func goBack(in building: String, audit entry: AuditEntry? = nil) throws -> Int64 {
        try database.write { session in
            try session.lockShared()
            try session.note(entry)
            let use = try session.first(
                "SELECT learnt, pinned FROM offset_use WHERE building = $1", [.text(building)]
            ) { (learnt: $0.integer(0), isPinned: $0.integer(1) != 0) }
            var limit = Int64.max
            if let use, use.learnt != 0 || use.isPinned {
                // There is nothing before "no offsets" to which somebody has gone back.
                limit = use.learnt
            } else if let last = try session.lastChoice(in: building) {
                limit = last.decidedAt
            }
            let before = try session.newestOffsets(in: building, before: limit)
            try session.use(before, isPinned: true, in: building)
            return before
        }
    }

    /// Has models of a building use what the last night chose, and what nights choose from now on.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: the time at which the version was learnt; 0 if that night chose no offsets, or none were learnt.
    /// - Throws: `StoreError`.
    package func useNewestOffsets(in building: String, audit entry: AuditEntry? = nil) throws -> Int64 {
        try database.write { session in
            try session.lockShared()
            try session.note(entry)
            let newest =
                try session.lastChoice(in: building)?.learntAt
                ?? session.newestOffsets(in: building, before: .max)
            try session.use(newest, isPinned: false, in: building)
            return newest
        }
    }
}

extension SQLSession {
    /// Returns when a night last chose offsets of a building, and the version that it chose, 0 for none; `nil` if the
    /// store knows of no such night.
    fileprivate func lastChoice(in building: String) throws -> (decidedAt: Int64, learntAt: Int64)? {
        try first(
            "SELECT decided, chosen FROM receiver_night WHERE building = $1 AND decided <> 0", [.text(building)]
        ) { (decidedAt: $0.integer(0), learntAt: $0.integer(1)) }
    }

    /// Returns the time of the newest version that was learnt before a time; 0 if there is none.
    fileprivate func newestOffsets(in building: String, before time: Int64) throws -> Int64 {
        try first(
            "SELECT max(learnt) FROM receiver_offset WHERE building = $1 AND learnt < $2",
            [.text(building), .integer(time)]
        ) { $0.integer(0) } ?? 0
    }

    /// Has models of a building use a version; 0 stands for no offsets.
    fileprivate func use(_ learntAt: Int64, isPinned: Bool, in building: String) throws {
        try execute(
            "INSERT INTO offset_use (building, learnt, pinned) VALUES ($1, $2, $3) ON CONFLICT (building) "
                + "DO UPDATE SET learnt = excluded.learnt, pinned = excluded.pinned",
            [.text(building), .integer(learntAt), .integer(isPinned ? 1 : 0)])
    }
}
