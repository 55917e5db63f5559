import CLinux
import Glibc
public import Matching
import SystemIO

extension InteractionStore {
    /// What there was of a subject, and what is left.
    public struct Erasure: Equatable, Sendable {
        public var interactions: Int
        public var subjects: Int
        /// Rows that still name the subject, by table.
        public var remaining: [String: Int]
        /// Files of the database that were searched for the subject's name, and where it was found.
        public var searchedFiles: [String]
        public var foundIn: [String]

        /// Whether nothing is left.
        public var isComplete: Bool { remaining.values.allSatisfy { $0 == 0 } && foundIn.isEmpty }
    }

    /// Removes everything of a subject, also from the unused parts of the database's files, and looks that nothing is left.
    /// Records of before `now` aren't taken any more, whoever sends them again.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    public func erase(_ subject: SubjectIdentity, now: Int64) throws -> Erasure {
        var erasure = Erasure(interactions: 0, subjects: 0, remaining: [:], searchedFiles: [], foundIn: [])
        let number = try numbers(of: [subject])[subject]
        try database.write { session in
            try session.lockExclusively()
            let key = try Erasures.key(session)
            try session.execute(
                "INSERT INTO erased (hash, at) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET at = excluded.at",
                [.text(Erasures.hash(subject, key)), .integer(now)])
            guard let number else { return }
            erasure.interactions = try session.execute(
                "DELETE FROM interaction WHERE subject = $1", [.integer(number)])
            erasure.subjects = try session.execute(
                "DELETE FROM subject WHERE name = $1 AND kind = $2", [.text(subject.id), .text(subject.kind)])
        }
        try removeTraces()
        try database.read { session in
            erasure.remaining["subject"] = try session.first(
                "SELECT count(*) FROM subject WHERE name = $1 AND kind = $2", [.text(subject.id), .text(subject.kind)]
            ) { Int($0.integer(0)) }
            if let number {
                erasure.remaining["interaction"] = try session.first(
                    "SELECT count(*) FROM interaction WHERE subject = $1", [.integer(number)]
                ) { Int($0.integer(0)) }
            }
        }
        for path in files {
            guard let isThere = Self.search(path, for: Array(subject.id.utf8)) else { continue }
            erasure.searchedFiles.append(path)
            if isThere { erasure.foundIn.append(path) }
        }
        return erasure
    }

    /// What a database keeps of deleted rows.
    private func removeTraces() throws {
        if database is SQLiteDatabase {
            // Pages are overwritten already; the log still has them as they were.
            try database.maintain("PRAGMA wal_checkpoint(TRUNCATE)")
        } else {
            try database.maintain("VACUUM FULL subject")
        }
    }

    private var files: [String] {
        guard let database = database as? SQLiteDatabase else { return [] }
        return ["", "-wal"].map { database.path + $0 }
    }

    /// Whether a file holds these bytes; `nil` when it can't be read.
    private static func search(_ path: String, for needle: [UInt8]) -> Bool? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1_048_576)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count <= 0 { return count < 0 ? nil : false }
            buffer += part[..<count]
            let isThere = buffer.withUnsafeBytes { bytes in
                memmem(bytes.baseAddress, bytes.count, needle, needle.count) != nil
            }
            if isThere { return true }
            buffer.removeFirst(max(0, buffer.count - (needle.count - 1)))
        }
    }
}
