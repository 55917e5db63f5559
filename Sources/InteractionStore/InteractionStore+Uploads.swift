import Attendance
import Matching

/// Files that were uploaded on the page.
extension InteractionStore {
    /// Maximum number of timetables and rosters, and of bytes in them. They are all read at once.
    package static let mostUploads = 1000
    package static let mostUploadedBytes: Int64 = 32 * 1024 * 1024
    /// Maximum number of lists of people that wait. The oldest one is dropped when another comes.
    private static let mostPending = 8
    /// Number of seconds for which a list of people waits.
    package static let pendingLifetime: Int64 = 600

    /// Stores timetables and rosters, each in the place of the one with its name, with the entries of the audit.
    ///
    /// - Returns: `false` if there would be too many; then nothing is stored.
    /// - Throws: `StoreError`.
    package func save(_ files: [UploadedFile], audit: [AuditEntry]) throws -> Bool {
        do {
            try database.write { session in
                try session.lockShared()
                for file in files { try session.save(file) }
                let total = try session.first(
                    "SELECT count(*), COALESCE(sum(\(session.dialect.byteCount(of: "content"))), 0) "
                        + "FROM uploaded_file WHERE kind <> $1",
                    [.text(UploadedFile.Kind.pendingPeople.rawValue)]
                ) { (count: $0.integer(0), length: $0.integer(1)) }
                guard let total, total.count <= Int64(Self.mostUploads), total.length <= Self.mostUploadedBytes else {
                    throw TooManyUploads()
                }
                for entry in audit { try session.note(entry) }
            }
            return true
        } catch is TooManyUploads {
            return false
        }
    }

    /// Returns all timetables and rosters, the oldest first.
    ///
    /// - Throws: `StoreError`.
    package func uploads() throws -> [UploadedFile] {
        try database.read { session in
            try session.uploads(
                "kind <> $1 ORDER BY at, kind, name", [.text(UploadedFile.Kind.pendingPeople.rawValue)])
        }
    }

    /// Removes a timetable or the roster of a course.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `StoreError`.
    package func removeUpload(_ kind: UploadedFile.Kind, name: String, audit: AuditEntry) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let count = try session.execute(
                "DELETE FROM uploaded_file WHERE kind = $1 AND name = $2", [.text(kind.rawValue), .text(name)])
            if count > 0 { try session.note(audit) }
            return count > 0
        }
    }

    // MARK: Lists of people

    /// Stores a list of people until its import is confirmed, in the place of the session's former one.
    ///
    /// - Parameter session: hash of the session.
    /// - Throws: `StoreError`.
    package func keepPending(people content: String, session hash: String, by: String, now: Int64) throws {
        try database.write { session in
            try session.lockShared()
            try session.save(UploadedFile(.pendingPeople, name: hash, content: content, by: by, at: now))
            let kind = SQLValue.text(UploadedFile.Kind.pendingPeople.rawValue)
            try session.execute(
                "DELETE FROM uploaded_file WHERE kind = $1 AND at <= $2",
                [kind, .integer(now - Self.pendingLifetime)])
            try session.execute(
                "DELETE FROM uploaded_file WHERE kind = $1 AND name NOT IN (SELECT name FROM uploaded_file "
                    + "WHERE kind = $1 ORDER BY at DESC, name LIMIT \(Self.mostPending))", [kind])
        }
    }

    /// Returns the list of people that waits in a session; `nil` if there is none, or if it has expired.
    ///
    /// - Throws: `StoreError`.
    package func pendingPeople(session hash: String, now: Int64) throws -> UploadedFile? {
        try database.read { session in
            try session.uploads(
                "kind = $1 AND name = $2 AND at > $3",
                [
                    .text(UploadedFile.Kind.pendingPeople.rawValue), .text(hash),
                    .integer(now - Self.pendingLifetime),
                ]
            ).first
        }
    }

    /// Deletes lists of people whose import was not confirmed in time.
    ///
    /// - Throws: `StoreError`.
    package func dropExpiredUploads(now: Int64) throws {
        _ = try database.write { session in
            try session.execute(
                "DELETE FROM uploaded_file WHERE kind = $1 AND at <= $2",
                [.text(UploadedFile.Kind.pendingPeople.rawValue), .integer(now - Self.pendingLifetime)])
        }
    }
}

/// Reason for which a transaction is rolled back.
private struct TooManyUploads: Error {}

extension SQLSession {
    func uploads(_ condition: String, _ arguments: [SQLValue]) throws -> [UploadedFile] {
        var files: [UploadedFile] = []
        try query("SELECT kind, name, content, by_whom, at FROM uploaded_file WHERE " + condition, arguments) { row in
            guard let kind = UploadedFile.Kind(rawValue: row.text(0) ?? "") else { return }
            files.append(
                UploadedFile(
                    kind, name: row.text(1) ?? "", content: row.text(2) ?? "", by: row.text(3) ?? "",
                    at: row.integer(4)))
        }
        return files
    }

    fileprivate func save(_ file: UploadedFile) throws {
        try execute(
            "INSERT INTO uploaded_file (kind, name, content, by_whom, at) VALUES ($1, $2, $3, $4, $5) "
                + "ON CONFLICT (kind, name) DO UPDATE SET content = excluded.content, by_whom = excluded.by_whom, "
                + "at = excluded.at",
            [
                .text(file.kind.rawValue), .text(file.name), .text(file.content), .text(file.by), .integer(file.at),
            ])
    }

    /// Deletes a list of people that waits, unless it is gone or another one has taken its place.
    ///
    /// - Returns: whether it was there.
    func drop(_ list: UploadedFile) throws -> Bool {
        try execute(
            "DELETE FROM uploaded_file WHERE kind = $1 AND name = $2 AND content = $3",
            [.text(list.kind.rawValue), .text(list.name), .text(list.content)]) > 0
    }

    // MARK: Erasure

    /// Removes a subject from uploaded rosters, and all lists of people that wait. The students stay in their courses,
    /// unless the roster names them by the subject.
    ///
    /// - Parameter now: time of the erasure, in seconds since 1970.
    func removeFromUploads(_ subject: SubjectIdentity, now: Int64) throws {
        try execute(
            "DELETE FROM uploaded_file WHERE kind = $1", [.text(UploadedFile.Kind.pendingPeople.rawValue)])
        for file in try rosters(containing: subject.id) {
            let rows = RosterFile.storedRows(file)
            let kept = rows.compactMap { $0.erasing(subject, at: now) }
            if kept == rows, !rows.isEmpty { continue }
            if kept.isEmpty {
                try execute(
                    "DELETE FROM uploaded_file WHERE kind = $1 AND name = $2",
                    [.text(file.kind.rawValue), .text(file.name)])
            } else {
                var file = file
                file.content = RosterFile.text(of: kept)
                try save(file)
            }
        }
    }

    /// Returns the number of uploaded rosters that name a subject.
    func uploadsNaming(_ subject: SubjectIdentity) throws -> Int {
        try rosters(containing: subject.id).count { file in
            RosterFile.storedRows(file).contains { $0.names(subject) }
        }
    }

    /// Returns longer names in uploaded rosters that contain a name.
    func uploadedNames(containing name: String) throws -> [String] {
        let rows = try rosters(containing: name).flatMap { RosterFile.storedRows($0) }
        let names = Set(rows.flatMap { [$0.subject?.id, $0.student, $0.name, $0.course].compactMap(\.self) })
        return names.filter { $0 != name && $0.contains(name) }.sorted()
    }

    private func rosters(containing name: String) throws -> [UploadedFile] {
        try uploads(
            "kind = $1 AND replace(lower(content), lower($2), '') <> lower(content)",
            [.text(UploadedFile.Kind.roster.rawValue), .text(name)])
    }
}

extension RosterFile {
    /// Returns the rows of an uploaded roster; none if it cannot be read.
    fileprivate static func storedRows(_ file: UploadedFile) -> [RosterRow] {
        (try? rows(Array(file.content.utf8), file: file.name)) ?? []
    }
}
