package import Backups
package import BeaconModel
import Glibc
import OperatorText
import SystemIO

/// Restoration of a store from a backup.
package struct StoreRestoration: Sendable {
    package var manifest: BackupManifest
    /// Where the former store is kept: a file, or a schema of PostgreSQL; `nil` if there was none.
    package var former: String?
    /// Number of subjects that were erased from the former store after the backup was made: the backup brings their
    /// data back.
    package var erasedSince: Int

    /// Replaces a store by a backup. The former one is kept under another name.
    ///
    /// - Parameters:
    ///   - replaces: whether a store that is not empty is replaced.
    ///   - entry: entry of the audit, which is stored in the restored store, if that has an audit.
    /// - Throws: `StoreError`; `SystemError`. The store is then as it was before.
    package static func restore(
        _ path: String, to location: StoreLocation, replaces: Bool, now: Timestamp, entry: AuditEntry,
        report: (BackupProgress) -> Void = { _ in }
    ) throws -> StoreRestoration {
        let file = try BackupFile(path)
        try file.checkVersion()
        let kind: BackupManifest.Kind =
            switch location {
            case .sqlite: .sqlite
            case .postgreSQL: .postgreSQL
            }
        guard file.manifest.kind == kind else {
            throw StoreError.backup(.otherKind(file.manifest.kind, store: kind), path)
        }
        try file.checkSum(report)
        do {
            switch location {
            case .sqlite(let store):
                return try SQLiteRestoration(file: file, store: store, time: now).run(
                    replaces: replaces, entry: entry, report)
            case .postgreSQL(let connection):
                return try PostgreSQLRestoration(file: file, connection: connection, time: now).run(
                    replaces: replaces, entry: entry, report)
            }
        } catch let fault as BackupFault {
            throw StoreError.backup(fault, path)
        }
    }

    /// Rights that no other process may have meanwhile.
    static func leases(_ location: StoreLocation) throws -> [StoreLease] {
        try [StoreLease.Role.upgrader, .leader].map { role in
            guard let lease = try StoreLease.acquirePatiently(location, role) else {
                throw StoreError.inUse(location, process: nil)
            }
            return lease
        }
    }

    static func notEmpty(_ location: StoreLocation, rows: Int?) -> StoreError {
        StoreError(
            rows.map { "the store \(location) is not empty: it has \($0) rows" }
                ?? "the store \(location) is not empty, and cannot be read",
            meaning: "nothing was changed",
            remedy: "add --replace, which keeps this store under another name", exitStatus: .usage)
    }

    /// Time for names of former stores.
    static func stamp(_ time: Timestamp) -> String {
        String(time.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }
}

/// A store that a restoration is about to replace.
struct FormerStore {
    /// Number of rows; `nil` if they cannot be read.
    var rows: Int?
    /// Number of subjects that were erased since a time.
    var erasedSince = 0

    init(_ session: any SQLSession, since time: Timestamp?) throws {
        rows = StoreTables.rows(of: try StoreTables.counts(session))
        guard let time, try session.hasTable("erased") else { return }
        erasedSince = try session.count(
            "SELECT count(*) FROM erased WHERE at >= $1", [.integer(time.microseconds / 1_000_000)])
    }

    /// A store that cannot be read.
    init() {}
}
