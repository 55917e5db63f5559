/// Floors that were drawn on the page.
extension InteractionStore {
    /// Maximum number of drawn floors, and of bytes in them: they are all read at once.
    package static let mostDrawnFloors = 200
    package static let mostDrawnBytes: Int64 = 16 * 1024 * 1024
    /// Number of earlier versions of a floor that are kept.
    package static let mostFormerVersions: Int64 = 20

    /// Stores floors, each in a new version, with the entries of the audit. All are stored, or none.
    ///
    /// - Throws: `StoreError`.
    package func save(_ changes: [DrawnFloor.Change], audit: [AuditEntry]) throws -> DrawnFloor.Saved {
        do {
            try database.write { session in
                try session.lockExclusively()
                for change in changes { try session.save(change) }
                let total = try session.first(
                    "SELECT count(*), COALESCE(sum(\(session.dialect.byteCount(of: "toml"))), 0) FROM floor_plan"
                ) { (count: $0.integer(0), length: $0.integer(1)) }
                guard let total, total.count <= Int64(Self.mostDrawnFloors), total.length <= Self.mostDrawnBytes else {
                    throw RefusedChange(outcome: .tooMany)
                }
                for entry in audit { try session.note(entry) }
            }
            return .done
        } catch let refused as RefusedChange {
            return refused.outcome
        }
    }

    /// Removes a drawn floor. It stays among the earlier versions.
    ///
    /// - Parameter base: version that was looked at.
    /// - Throws: `StoreError`.
    package func removeDrawnFloor(_ path: String, base: Int64, audit: AuditEntry) throws -> DrawnFloor.Saved {
        try database.write { session in
            try session.lockExclusively()
            let present = try session.drawnFloor(path)
            guard let present, present.version == base else { return .conflict(path: path, present) }
            try session.keepFormer(path)
            try session.execute("DELETE FROM floor_plan WHERE path = $1", [.text(path)])
            try session.note(audit)
            return .done
        }
    }

    /// Returns all drawn floors in the order of their paths.
    ///
    /// - Throws: `StoreError`.
    package func drawnFloors() throws -> [DrawnFloor] {
        try database.read { session in
            try session.drawnFloors("FROM floor_plan ORDER BY path", []).sorted { $0.path < $1.path }
        }
    }

    /// Returns a drawn floor as it is now; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func drawnFloor(_ path: String) throws -> DrawnFloor? {
        try database.read { try $0.drawnFloor(path) }
    }

    /// Returns the earlier versions of a floor, the latest first.
    ///
    /// - Throws: `StoreError`.
    package func formerFloors(_ path: String) throws -> [DrawnFloor] {
        try database.read { session in
            try session.drawnFloors(
                "FROM former_floor_plan WHERE path = $1 ORDER BY version DESC LIMIT \(Self.mostFormerVersions)",
                [.text(path)])
        }
    }

    // MARK: Pictures

    /// Maximum number of pictures.
    package static let mostFloorPictures: Int64 = 50

    /// Stores the picture of a floor in the place of its former one.
    ///
    /// - Parameter picture: without bytes, only the scale of the present picture is changed.
    /// - Returns: `false` if there would be too many pictures, or if there is none whose scale could be changed.
    /// - Throws: `StoreError`.
    package func save(_ picture: FloorPicture, of path: String, audit: AuditEntry) throws -> Bool {
        let scale = picture.scale
        let numbers: [SQLValue] = [
            scale.x1, scale.y1, scale.x2, scale.y2, scale.distance, scale.planX, scale.planY,
        ].map { .integer($0) }
        return try database.write { session in
            try session.lockExclusively()
            if picture.bytes.isEmpty {
                let count = try session.execute(
                    "UPDATE floor_picture SET x1 = $2, y1 = $3, x2 = $4, y2 = $5, distance = $6, plan_x = $7, "
                        + "plan_y = $8 WHERE path = $1", [.text(path)] + numbers)
                if count > 0 { try session.note(audit) }
                return count > 0
            }
            let others = try session.first(
                "SELECT count(*) FROM floor_picture WHERE path <> $1", [.text(path)]
            ) { $0.integer(0) }
            guard (others ?? 0) < Self.mostFloorPictures else { return false }
            try session.execute("DELETE FROM floor_picture WHERE path = $1", [.text(path)])
            try session.execute(
                "INSERT INTO floor_picture (path, x1, y1, x2, y2, distance, plan_x, plan_y, kind, tag, bytes, width, "
                    + "height) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
                [.text(path)] + numbers + [
                    .text(picture.kind), .text(picture.tag), .blob(picture.bytes), .integer(picture.width),
                    .integer(picture.height),
                ])
            try session.note(audit)
            return true
        }
    }

    /// Removes the picture of a floor.
    ///
    /// - Throws: `StoreError`.
    package func removePicture(of path: String, audit: AuditEntry) throws {
        try database.write { session in
            try session.lockShared()
            let count = try session.execute("DELETE FROM floor_picture WHERE path = $1", [.text(path)])
            if count > 0 { try session.note(audit) }
        }
    }

    /// Returns the picture of a floor; `nil` if it has none.
    ///
    /// - Parameter withBytes: whether its bytes are read.
    /// - Throws: `StoreError`.
    package func picture(of path: String, withBytes: Bool) throws -> FloorPicture? {
        let bytes = withBytes ? ", bytes" : ""
        return try database.read { session in
            try session.first(
                "SELECT kind, tag, width, height, x1, y1, x2, y2, distance, plan_x, plan_y\(bytes) FROM floor_picture "
                    + "WHERE path = $1", [.text(path)]
            ) { row in
                FloorPicture(
                    kind: row.text(0) ?? "", tag: row.text(1) ?? "", bytes: withBytes ? row.blob(11) : [],
                    width: row.integer(2), height: row.integer(3),
                    scale: .init(
                        x1: row.integer(4), y1: row.integer(5), x2: row.integer(6), y2: row.integer(7),
                        distance: row.integer(8), planX: row.integer(9), planY: row.integer(10)))
            }
        }
    }
}

/// Reason for which a transaction is rolled back.
private struct RefusedChange: Error {
    var outcome: DrawnFloor.Saved
}

extension SQLSession {
    fileprivate func drawnFloors(_ condition: String, _ arguments: [SQLValue]) throws -> [DrawnFloor] {
        var floors: [DrawnFloor] = []
        try query("SELECT path, version, toml, by_whom, at " + condition, arguments) { row in
            floors.append(
                DrawnFloor(
                    path: row.text(0) ?? "", version: row.integer(1), toml: row.text(2) ?? "", by: row.text(3) ?? "",
                    at: row.integer(4)))
        }
        return floors
    }

    fileprivate func drawnFloor(_ path: String) throws -> DrawnFloor? {
        try drawnFloors("FROM floor_plan WHERE path = $1", [.text(path)]).first
    }

    fileprivate func save(_ change: DrawnFloor.Change) throws {
        let floor = change.floor
        let present = try drawnFloor(floor.path)
        guard (present?.version ?? 0) == change.base else {
            throw RefusedChange(outcome: .conflict(path: floor.path, present))
        }
        try keepFormer(floor.path)
        let last = try first(
            "SELECT COALESCE(max(version), 0) FROM former_floor_plan WHERE path = $1", [.text(floor.path)]
        ) { $0.integer(0) }
        try execute(
            "INSERT INTO floor_plan (path, version, toml, by_whom, at) VALUES ($1, $2, $3, $4, $5) "
                + "ON CONFLICT (path) DO UPDATE SET version = excluded.version, toml = excluded.toml, "
                + "by_whom = excluded.by_whom, at = excluded.at",
            [
                .text(floor.path), .integer((last ?? 0) + 1), .text(floor.toml), .text(floor.by), .integer(floor.at),
            ])
    }

    /// Copies the present version of a floor to the earlier ones, of which the oldest are dropped.
    fileprivate func keepFormer(_ path: String) throws {
        try execute(
            "INSERT INTO former_floor_plan (path, version, toml, by_whom, at) "
                + "SELECT path, version, toml, by_whom, at FROM floor_plan WHERE path = $1", [.text(path)])
        try execute(
            "DELETE FROM former_floor_plan WHERE path = $1 AND version NOT IN (SELECT version FROM former_floor_plan "
                + "WHERE path = $1 ORDER BY version DESC LIMIT \(InteractionStore.mostFormerVersions))",
            [.text(path)])
    }
}
