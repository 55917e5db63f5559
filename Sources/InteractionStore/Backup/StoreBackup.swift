package import Backups
package import BeaconModel
import Glibc
import OperatorText
import SystemIO

/// Backups of a store in one file: the copy that SQLite or `pg_dump` made, followed by a manifest.
package enum StoreBackup {
    /// Space that must be left beside a copy.
    private static let margin = 16 << 20

    /// Copies a store while other processes use it, and verifies the copy. The file appears when it is complete.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing file is replaced.
    ///   - entry: entry of the audit, which is stored first, if the store has an audit.
    /// - Throws: `StoreError`; `SystemError`.
    package static func make(
        of location: StoreLocation, to path: String, replaces: Bool, now: Timestamp, entry: AuditEntry,
        report: (BackupProgress) -> Void = { _ in }
    ) throws -> BackupManifest {
        try refuseExisting(path, replaces: replaces)
        let partial = path + ".partial"
        let descriptor = try create(partial)
        defer { close(descriptor) }
        do {
            var manifest =
                switch location {
                case .sqlite(let store): try copySQLite(store, to: partial, entry, report)
                case .postgreSQL(let connection): try dump(connection, to: partial, entry, report)
                }
            manifest.made = now.rfc3339
            try seal(&manifest, partial, descriptor, report)
            try refuseExisting(path, replaces: replaces)
            try FileContents.rename(partial, to: path)
            synchronizeDirectory(of: path)
            return manifest
        } catch {
            SQLiteCopy.remove(partial)
            if let fault = error as? BackupFault { throw StoreError.backup(fault, "the copy") }
            throw error
        }
    }

    /// Creates the file in which a backup is made, in the place of one that was interrupted.
    private static func create(_ partial: String) throws(StoreError) -> CInt {
        let former = open(partial, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if former >= 0 {
            defer { close(former) }
            guard flock(former, LOCK_EX | LOCK_NB) == 0 else {
                throw StoreError(
                    "another backup to the same file is being made: \(partial)", remedy: "wait for it",
                    exitStatus: .unavailable)
            }
        }
        SQLiteCopy.remove(partial)
        let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            if descriptor >= 0 { close(descriptor) }
            throw StoreError(
                "cannot create \(partial): \(SystemError.text(number))",
                remedy: "create its directory, or make it writable for this user",
                exitStatus: number == EACCES || number == EPERM ? .permission : .inputOutput)
        }
        return descriptor
    }

    /// Checks a backup as far as this is possible without restoring it.
    ///
    /// - Throws: `StoreError`.
    package static func verify(
        _ path: String, report: (BackupProgress) -> Void = { _ in }
    ) throws -> BackupManifest {
        let file = try BackupFile(path)
        try file.checkSum(report)
        report(.checking)
        do {
            switch file.manifest.kind {
            case .sqlite:
                let wrong = file.manifest.difference(from: try SQLiteCopy.check(path, isSealed: true))
                if !wrong.isEmpty { throw BackupFault.wrongRows(wrong) }
            case .postgreSQL: try checkArchive(path, file.manifest)
            }
        } catch let fault as BackupFault {
            throw StoreError.backup(fault, path)
        }
        return file.manifest
    }

    private static func refuseExisting(_ path: String, replaces: Bool) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError("\(path) exists, and is not a file", remedy: "specify another name", exitStatus: .usage)
        }
        guard replaces else {
            throw StoreError(
                "\(path) exists", remedy: "specify another name, or replace it with --force", exitStatus: .usage)
        }
    }

    private static func copySQLite(
        _ store: String, to partial: String, _ entry: AuditEntry, _ report: (BackupProgress) -> Void
    ) throws -> BackupManifest {
        let database = try SQLiteDatabase(path: store, creating: false, isForAnswers: true)
        try refuseNewer(database, .sqlite(store))
        try checkSpace(for: try database.size() + margin, at: partial)
        try note(entry, database)
        let (version, counts) = try database.copy(to: partial, report)
        report(.checking)
        let manifest = manifest(.sqlite, version, schema: nil, counts)
        let wrong = manifest.difference(from: try SQLiteCopy.check(partial, isSealed: false))
        if !wrong.isEmpty { throw BackupFault.wrongRows(wrong) }
        return manifest
    }

    private static func dump(
        _ connection: String, to partial: String, _ entry: AuditEntry, _ report: (BackupProgress) -> Void
    ) throws -> BackupManifest {
        let programs = try PostgreSQLPrograms(connection)
        _ = try PostgreSQLPrograms.find("pg_dump")
        _ = try PostgreSQLPrograms.find("pg_restore")
        let database = try PostgreSQLDatabase(connection)
        try refuseNewer(database, .postgreSQL(connection))
        try checkSpace(for: margin, at: partial)
        try note(entry, database)
        let manifest = try database.read { session in
            // This connection is idle while the program works.
            try session.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            guard let version = try StoreUpgrade.version(session),
                let snapshot = try session.first("SELECT pg_export_snapshot()", [], { $0.text(0) }) ?? nil,
                let schema = try session.first("SELECT current_schema()", [], { $0.text(0) }) ?? nil
            else { throw StoreError.noStore(.postgreSQL(connection)) }
            let counts = try StoreTables.counts(session)
            try programs.dump(try StoreTables.all(session), of: schema, snapshot: snapshot, to: partial) {
                report(.dumped($0))
            }
            return Self.manifest(.postgreSQL, version, schema: schema, counts)
        }
        report(.checking)
        try checkArchive(partial, manifest)
        return manifest
    }

    private static func manifest(
        _ kind: BackupManifest.Kind, _ version: Int64, schema: String?, _ counts: [String: Int]
    ) -> BackupManifest {
        BackupManifest(
            kind: kind, schemaVersion: version, program: ProductVersion.number, made: "", bytes: 0, sha256: "",
            schema: schema, tables: counts)
    }

    /// Whether the archive has all tables with rows.
    private static func checkArchive(_ path: String, _ manifest: BackupManifest) throws {
        let tables = try PostgreSQLPrograms.tables(inArchive: path)
        let missing = manifest.tables.keys.filter { !tables.contains($0) }.sorted()
        guard missing.isEmpty else {
            throw BackupFault.damagedCopy("the archive lacks \(missing.prefix(5).joined(separator: ", "))")
        }
    }

    private static func refuseNewer(_ database: any SQLDatabase, _ location: StoreLocation) throws {
        guard let version = try database.read({ try StoreUpgrade.version($0) }) else {
            throw StoreError.noStore(location)
        }
        // It can have tables of which this program does not know.
        if version > StoreSchema.version { throw StoreError.wrongVersion(version, by: nil, location) }
    }

    private static func note(_ entry: AuditEntry, _ database: any SQLDatabase) throws {
        try database.write { session in
            // Versions before 13 have no audit.
            guard try session.hasTable("audit") else { return }
            try session.lockShared()
            try session.note(entry)
        }
    }

    static func checkSpace(for bytes: Int, at path: String) throws(StoreError) {
        guard let space = FileSystemSpace(holding: path), space.availableBytes < bytes else { return }
        throw StoreError(
            "\(path) needs \(ByteSizeText.format(bytes)), and its file system has "
                + "\(ByteSizeText.format(space.availableBytes)) left",
            meaning: "nothing was written", remedy: "free space, or specify a file on another disk")
    }

    /// Writes the manifest behind the copy, and both to disk.
    private static func seal(
        _ manifest: inout BackupManifest, _ partial: String, _ descriptor: CInt, _ report: (BackupProgress) -> Void
    ) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else {
            throw StoreError("\(partial) was replaced or is empty", remedy: "repeat the command")
        }
        manifest.bytes = Int(status.st_size)
        manifest.sha256 = try BackupFile.checksum(of: descriptor, length: manifest.bytes, partial, report)
        guard lseek(descriptor, 0, SEEK_END) == manifest.bytes else {
            throw StoreError("\(partial) was changed by another program", remedy: "repeat the command")
        }
        try FileContents.write(BackupTrailer.encode(manifest), to: descriptor, partial)
        guard fsync(descriptor) == 0 else { throw SystemError("write \(partial)", errorNumber: errno) }
    }

    static func synchronizeDirectory(of path: String) {
        let directory = open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}
