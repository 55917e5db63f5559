/// Description of a backup of a matcher's store, which is kept in its file.
package struct BackupManifest: Codable, Equatable, Sendable {
    /// The database from which a backup was made. Its copy is of the same kind.
    package enum Kind: String, Codable, Sendable {
        /// A copy of the database file.
        case sqlite
        /// An archive of `pg_dump` in the custom format.
        case postgreSQL = "postgresql"

        /// Name for people.
        package var name: String {
            switch self {
            case .sqlite: "SQLite"
            case .postgreSQL: "PostgreSQL"
            }
        }
    }

    package var kind: Kind
    /// Version of the tables.
    package var schemaVersion: Int64
    /// Version of the program that made the backup.
    package var program: String
    /// Time at which the backup was made, in RFC 3339.
    package var made: String
    /// Length of the copy in bytes.
    package var bytes: Int
    /// SHA-256 of the copy, in hexadecimal digits.
    package var sha256: String
    /// Schema of PostgreSQL that holds the tables; `nil` for SQLite.
    package var schema: String?
    /// Number of rows by table.
    package var tables: [String: Int]

    package init(
        kind: Kind, schemaVersion: Int64, program: String, made: String, bytes: Int, sha256: String, schema: String?,
        tables: [String: Int]
    ) {
        self.kind = kind
        self.schemaVersion = schemaVersion
        self.program = program
        self.made = made
        self.bytes = bytes
        self.sha256 = sha256
        self.schema = schema
        self.tables = tables
    }

    /// Number of rows of all tables.
    package var rows: Int { tables.values.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

    /// Returns the tables whose number of rows differs, in their order.
    package func difference(from counts: [String: Int]) -> [String] {
        Set(tables.keys).union(counts.keys).filter { tables[$0] != counts[$0] }.sorted()
    }

    /// Whether the values are possible. Names of tables and of the schema become part of SQL.
    var isPossible: Bool {
        bytes > 0 && sha256.utf8.count == 64 && !tables.isEmpty && tables.count <= 100_000
            && tables.allSatisfy { Self.isName($0.key) && $0.value >= 0 } && schema.map(Self.isSchema) ?? true
            && (kind == .postgreSQL) == (schema != nil)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 63
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
    }

    private static func isSchema(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 63 && !text.contains("\0")
    }
}
