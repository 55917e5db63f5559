import Evidence
import TestValues

@testable import InteractionStore

/// Stores with the tables of an earlier version.
enum FormerStores {
    static let readings =
        ReadingKey.first(ofDay: FormerTables.day)..<ReadingKey.first(ofDay: FormerTables.day + 1)

    /// Creates a store, and fills its tables.
    ///
    /// - Returns: its rows by table.
    static func make(
        _ tables: FormerTables, at location: StoreLocation, rows: Int, more: [String] = []
    ) throws -> [String: [String]] {
        let database: any SQLDatabase =
            switch location {
            case .sqlite(let path): try SQLiteDatabase(path: path, creating: true)
            case .postgreSQL(let connection): try PostgreSQLDatabase(connection)
            }
        try database.write { session in
            for statement in tables.statements + tables.rows(rows, readings: readings) + more {
                try session.query(statement, [], keepsStatement: false) { _ in }
            }
        }
        return try self.rows(of: tables, database)
    }

    /// Returns the rows of the tables of a version, by the columns that later versions have too.
    static func rows(of tables: FormerTables, _ database: any SQLDatabase) throws -> [String: [String]] {
        try database.read { session in
            var rows: [String: [String]] = [:]
            for table in tables.tables where table.name != "schema_version" {
                let columns = table.columns.map(\.name).filter {
                    !["document", "content"].contains($0) || isKept(table)
                }
                var values: [String] = []
                try session.query(
                    "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)", [], keepsStatement: false
                ) { row in
                    values.append(columns.indices.map { row.text(Int32($0)) ?? "-" }.joined(separator: "|"))
                }
                rows[table.name] = values.sorted()
            }
            return rows
        }
    }

    /// Whether the table has columns of the names that version 9 removed from others.
    private static func isKept(_ table: FormerTables.Table) -> Bool { !["exposure", "notice"].contains(table.name) }
}

/// The tables of a store, without rows and without the order of columns.
enum StoreShape {
    static func of(_ session: any SQLSession) throws -> [String] {
        var shape: [String] = []
        switch session.dialect {
        case .sqlite:
            for table in try StoreTables.names(session) {
                try session.query(
                    "SELECT name, type, \"notnull\", pk > 0 FROM pragma_table_info('\(table)')", [],
                    keepsStatement: false
                ) { row in
                    shape.append("\(table) " + (0..<4).map { row.text($0) ?? "" }.joined(separator: " "))
                }
            }
            try session.query("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL") { row in
                shape.append(row.text(0) ?? "")
            }
        case .postgreSQL:
            let isPartition = "'^(interaction|listening|vectors|company)_[0-9]'"
            try session.query(
                "SELECT table_name, column_name, data_type, is_nullable, COALESCE(collation_name, '') "
                    + "FROM information_schema.columns WHERE table_schema = current_schema() "
                    + "AND table_name !~ \(isPartition)"
            ) { row in shape.append((0..<5).map { row.text($0) ?? "" }.joined(separator: " ")) }
            try session.query(
                "SELECT replace(indexdef, current_schema() || '.', '') FROM pg_indexes "
                    + "WHERE schemaname = current_schema() AND tablename !~ \(isPartition)"
            ) { row in shape.append(row.text(0) ?? "") }
        }
        return shape.sorted()
    }
}
