import Backups
import BeaconModel
import Glibc
import OperatorText
import SystemIO

/// Replacement of a database file by the copy in a backup.
struct SQLiteRestoration {
    let file: BackupFile
    /// Path of the store; of a link, the file that it points to.
    let store: String
    let time: Timestamp

    private static let margin = 16 << 20

    init(file: BackupFile, store: String, time: Timestamp) {
        self.file = file
        self.store = SQLiteDatabase.resolved(store)
        self.time = time
    }

    func run(
        replaces: Bool, entry: AuditEntry, _ report: (BackupProgress) -> Void
    ) throws -> StoreRestoration {
        let location = StoreLocation.sqlite(store)
        let leases = try StoreRestoration.leases(location)
        defer { withExtendedLifetime(leases) {} }
        try StoreUsers.refuseOpen(store)
        let former = try formerStore(replaces: replaces)
        try StoreBackup.checkSpace(for: file.manifest.bytes + Self.margin, at: store)
        let copy = store + ".restoring"
        SQLiteCopy.remove(copy)
        do {
            try writeCopy(copy, report)
            report(.checking)
            let wrong = file.manifest.difference(from: try SQLiteCopy.check(copy, isSealed: false))
            if !wrong.isEmpty { throw BackupFault.wrongRows(wrong) }
            try note(entry, in: copy)
            // Copying can take minutes.
            try StoreUsers.refuseOpen(store)
            let kept = try former.map { _ in try putAside() }
            try FileContents.rename(copy, to: store)
            StoreBackup.synchronizeDirectory(of: store)
            return StoreRestoration(manifest: file.manifest, former: kept, erasedSince: former?.erasedSince ?? 0)
        } catch {
            SQLiteCopy.remove(copy)
            throw error
        }
    }

    /// Examines the store that is there; `nil` if there is none.
    private func formerStore(replaces: Bool) throws -> FormerStore? {
        var status = stat()
        let hasFile = stat(store, &status) == 0 && status.st_size > 0
        guard hasFile || access(store + "-wal", F_OK) == 0 else { return nil }
        var former = FormerStore()
        // SQLite would move the log of a file that is no database into it.
        if isDatabase { former = try examined(replaces: replaces) }
        if former.rows != 0, !replaces { throw StoreRestoration.notEmpty(.sqlite(store), rows: former.rows) }
        return former
    }

    /// Whether the file begins as a database does.
    private var isDatabase: Bool {
        let descriptor = open(store, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        return pread(descriptor, &bytes, bytes.count, 0) == bytes.count && bytes == Array("SQLite format 3\0".utf8)
    }

    private func examined(replaces: Bool) throws -> FormerStore {
        do {
            let database = try SQLiteDatabase(path: store, creating: false, isForAnswers: true)
            let former = try database.read { try FormerStore($0, since: file.made) }
            // The former store is one file then, and nobody else uses it.
            if former.rows == 0 || replaces, try !database.consolidate() {
                throw StoreError.inUse(.sqlite(store), process: nil)
            }
            return former
        } catch let error as StoreError where error.exitStatus == .inputOutput {
            // Damage is a reason for restoring a backup.
            return FormerStore()
        }
    }

    private func writeCopy(_ copy: String, _ report: (BackupProgress) -> Void) throws {
        let descriptor = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("create \(copy)", errorNumber: errno) }
        defer { close(descriptor) }
        FileContents.giveToDirectoryOwner(descriptor, copy)
        var done = 0
        try file.parts { part in
            try FileContents.write(part, to: descriptor, copy)
            done += part.count
            report(.copied(done, of: file.manifest.bytes))
        }
        guard fsync(descriptor) == 0 else { throw SystemError("write \(copy)", errorNumber: errno) }
    }

    private func note(_ entry: AuditEntry, in copy: String) throws {
        try SQLiteCopy.write(copy) { session in
            if try session.hasTable("audit") { try session.note(entry) }
        }
    }

    /// Gives the former store a second name, under which it stays when the restored one takes its place.
    ///
    /// - Returns: that name.
    private func putAside() throws(SystemError) -> String {
        let wanted = store + ".before-" + StoreRestoration.stamp(time)
        var name = wanted
        var number = 2
        while access(name, F_OK) == 0 {
            name = "\(wanted)-\(number)"
            number += 1
        }
        // SQLite would take the log of a damaged store for that of the restored one.
        for suffix in ["-wal", "-shm"] where access(store + suffix, F_OK) == 0 {
            try FileContents.rename(store + suffix, to: name + suffix)
        }
        guard access(store, F_OK) == 0 else { return name }
        // Not every file system has second names.
        if link(store, name) != 0 { try FileContents.rename(store, to: name) }
        return name
    }
}

extension BackupFile {
    /// Time at which the backup was made.
    var made: Timestamp? { RFC3339Text.parse(manifest.made) }
}
