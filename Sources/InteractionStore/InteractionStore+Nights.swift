/// Nights in which the receivers of buildings were looked at.
extension InteractionStore {
    /// What a night's look says of the offsets of a building's receivers.
    package enum OffsetChoice: Equatable, Sendable {
        /// Too little was heard to learn from: what an earlier night chose stays.
        case undecided
        /// Offsets predict nothing.
        case noOffsets
        /// A new version, in dB by the paths of receivers.
        case version([String: Double])
    }

    /// Number of versions that are kept of each building.
    private static let mostVersions: Int64 = 14

    /// Returns the number of the last night that was done, by building.
    ///
    /// - Throws: `StoreError`.
    package func receiverNights() throws -> [String: Int64] {
        try database.read { session in
            var nights: [String: Int64] = [:]
            try session.query("SELECT building, night FROM receiver_night") { nights[$0.text(0) ?? ""] = $0.integer(1) }
            return nights
        }
    }

    /// Stores in one transaction that a night is done, and what it chose. Models use that unless somebody has gone
    /// back.
    ///
    /// - Parameters:
    ///   - night: number of the night.
    ///   - building: `site/building`.
    ///   - now: time of the look, in seconds since 1970.
    /// - Returns: whether models use a new version; `nil` if another process has done the night, and nothing is stored.
    /// - Throws: `StoreError`.
    package func finish(
        night: Int64, in building: String, choosing choice: OffsetChoice, now: Int64
    ) throws -> Bool? {
        try database.write { session -> Bool? in
            try session.lockShared()
            let isFirst = try session.first(
                "INSERT INTO receiver_night (building, night, decided, chosen) VALUES ($1, $2, 0, 0) "
                    + "ON CONFLICT (building) DO UPDATE SET night = excluded.night "
                    + "WHERE receiver_night.night <> excluded.night RETURNING 1", [.text(building), .integer(night)]
            ) { _ in true }
            guard isFirst == true else { return nil }
            switch choice {
            case .undecided: return false
            case .noOffsets:
                try session.choose(0, in: building, at: now)
                try session.execute(
                    "UPDATE offset_use SET learnt = 0 WHERE building = $1 AND pinned = 0", [.text(building)])
                return false
            case .version(let offsets):
                try session.choose(now, in: building, at: now)
                return try Self.add(offsets, in: building, now: now, session)
            }
        }
    }

    /// Stores a new version, and has models use it unless somebody has gone back.
    ///
    /// - Returns: whether models use it.
    private static func add(
        _ offsets: [String: Double], in building: String, now: Int64, _ session: any SQLSession
    ) throws -> Bool {
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
        // The new one stays also if a clock that was ahead gave the others later times.
        try session.execute(
            "DELETE FROM receiver_offset WHERE building = $1 AND learnt <> $2 AND learnt <> (SELECT learnt "
                + "FROM offset_use WHERE building = $1) AND learnt NOT IN (SELECT DISTINCT learnt "
                + "FROM receiver_offset WHERE building = $1 ORDER BY learnt DESC LIMIT \(mostVersions))",
            [.text(building), .integer(now)])
        return try session.first("SELECT learnt FROM offset_use WHERE building = $1", [.text(building)]) {
            $0.integer(0)
        } == now
    }
}

extension SQLSession {
    /// Stores what a building's night chose: the time of a version, or 0 for no offsets.
    fileprivate func choose(_ learntAt: Int64, in building: String, at time: Int64) throws {
        try execute(
            "UPDATE receiver_night SET decided = $2, chosen = $3 WHERE building = $1",
            [.text(building), .integer(time), .integer(learntAt)])
    }
}
