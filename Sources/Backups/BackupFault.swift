/// A fault in the file of a backup.
package enum BackupFault: Error, Equatable, Sendable {
    /// The file does not end as a backup does.
    case noBackup
    case damagedManifest
    case wrongLength(found: Int, expected: Int)
    case wrongChecksum
    /// The copy's own check found damage.
    case damagedCopy(String)
    /// Tables that have another number of rows than the manifest says.
    case wrongRows([String])
    /// The tables are of a later version than this program knows.
    case newer(schemaVersion: Int64, known: Int64, program: String)
    /// The backup is of another kind of database than the store.
    case otherKind(BackupManifest.Kind, store: BackupManifest.Kind)
    /// The store's tables are in another schema of PostgreSQL than those of the backup.
    case otherSchema(String, store: String)

    /// Description without the file's name, which is the subject.
    package var text: String {
        switch self {
        case .noBackup: "is not a backup of beacon-matcher, or its end was cut off"
        case .damagedManifest: "has a damaged manifest"
        case .wrongLength(let found, let expected): "has \(found) bytes before its manifest, which says \(expected)"
        case .wrongChecksum: "was changed after it was made: its checksum is wrong"
        case .damagedCopy(let reason): "is damaged: \(reason)"
        case .wrongRows(let tables):
            "has another number of rows than when it was made in \(tables.prefix(5).joined(separator: ", "))"
        case .newer(let version, let known, let program):
            "has schema version \(version), made by beacon-matcher \(program); this program knows versions up to "
                + "\(known)"
        case .otherKind(let kind, let store): "is a backup of a \(kind.name) store; the store is in \(store.name)"
        case .otherSchema(let schema, let store):
            "has its tables in the schema \"\(schema)\"; the store uses the schema \"\(store)\""
        }
    }

    /// Action that the operator can take.
    package var remedy: String {
        switch self {
        case .noBackup: "specify a file that `beacon-matcher backup FILE` made"
        case .damagedManifest, .wrongLength, .wrongChecksum, .damagedCopy, .wrongRows:
            "use another backup; if it was copied here, copy it again"
        case .newer(_, _, let program): "install beacon-matcher \(program) or a later version"
        case .otherKind(let kind, _): "specify a store of the kind \(kind.name)"
        case .otherSchema(let schema, _):
            "specify a connection whose current schema is that: options='-c search_path=\(schema)'"
        }
    }
}
