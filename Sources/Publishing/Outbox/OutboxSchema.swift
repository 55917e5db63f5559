/// The table of records in an outbox's database.
package enum OutboxSchema {
    /// Version of the schema. A changed table must get another name, because another version next to this table counts
    /// as damage.
    package static let version = 1
    package static let table = """
        CREATE TABLE record (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, priority INTEGER NOT NULL, \
        boot INTEGER NOT NULL, sequence INTEGER NOT NULL, entered INTEGER NOT NULL, checksum INTEGER NOT NULL, \
        payload BLOB NOT NULL)
        """
    package static let columns = "id, topic, priority, boot, sequence, entered, checksum, payload"
    /// Page size in bytes: the block size of most file systems. It costs least under heavy load. Smaller pages write up
    /// to a quarter less for a record in a transaction of its own, and leave less space unused between records.
    package static let pageSize = 4096

    /// What a database is, by its version and its tables.
    package enum Found: Equatable, Sendable {
        /// A new database, without the table.
        case new
        case current
        /// A database with this table, but damage in its version.
        case unversioned
        /// A database of a newer program.
        case newer
        case damaged
    }

    /// Returns what a database is.
    ///
    /// - Parameters:
    ///   - version: the version that the database states.
    ///   - tables: the statements that created its tables.
    package static func found(version: Int, tables: [String]) -> Found {
        if tables.isEmpty, version == 0 { return .new }
        if tables == [table] { return version == self.version ? .current : .unversioned }
        return version > self.version && !tables.isEmpty ? .newer : .damaged
    }
}
