/// How far a backup or a restoration is.
package enum BackupProgress: Equatable, Sendable {
    /// Pages of SQLite that are copied.
    case pages(Int, of: Int)
    /// Bytes that `pg_dump` has written; the whole is not known.
    case dumped(Int)
    /// Bytes that are copied.
    case copied(Int, of: Int)
    /// Bytes whose checksum is computed.
    case checksum(Int, of: Int)
    /// The copy is checked, which takes about as long as copying it.
    case checking
    /// The database reads the archive.
    case loading
}
