import Backups
import BeaconModel

/// Replacement of the tables in a database by those in a backup, in one transaction of the database.
struct PostgreSQLRestoration {
    let file: BackupFile
    let connection: String
    let time: Timestamp

    func run(
        replaces: Bool, entry: AuditEntry, _ report: (BackupProgress) -> Void
    ) throws -> StoreRestoration {
        let programs = try PostgreSQLPrograms(connection)
        let location = StoreLocation.postgreSQL(connection)
        let database = try PostgreSQLDatabase(connection)
        try StoreUsers.refuseConnected(database, location)
        let leases = try StoreRestoration.leases(location)
        defer { withExtendedLifetime(leases) {} }
        let (schema, tables) = try database.read { session in
            (
                (try session.first("SELECT current_schema()") { $0.text(0) ?? "" }) ?? "",
                try StoreTables.all(session)
            )
        }
        guard schema == file.manifest.schema else {
            throw BackupFault.otherSchema(file.manifest.schema ?? "", store: schema)
        }
        let former = tables.isEmpty ? nil : try database.read { try FormerStore($0, since: file.made) }
        if let former, former.rows != 0, !replaces { throw StoreRestoration.notEmpty(location, rows: former.rows) }
        report(.loading)
        let kept = try former.map { _ in try freeSchema(database) }
        try programs.load(
            file.path, after: prelude(moving: tables, from: schema, to: kept),
            before: conclusion(in: schema, entry))
        try database.maintain("ANALYZE")
        return StoreRestoration(
            manifest: file.manifest, former: kept.map { "schema \($0)" }, erasedSince: former?.erasedSince ?? 0)
    }

    /// Returns a name for the schema of the former tables that no schema has.
    private func freeSchema(_ database: PostgreSQLDatabase) throws -> String {
        let wanted = "before_" + StoreRestoration.stamp(time).lowercased()
        return try database.read { session in
            var name = wanted
            var number = 2
            while try session.count("SELECT count(*) FROM pg_namespace WHERE nspname = $1", [.text(name)]) > 0 {
                name = "\(wanted)_\(number)"
                number += 1
            }
            return name
        }
    }

    /// Statements that move the former tables to a schema of their own.
    private func prelude(moving tables: [String], from schema: String, to kept: String?) -> String {
        var statements = ["SET client_min_messages = warning", "SELECT pg_advisory_xact_lock(\(SQLLock.store))"]
        if let kept {
            statements.append("CREATE SCHEMA \(PostgreSQLPrograms.quoted(kept))")
            for table in tables {
                statements.append(
                    "ALTER TABLE \(PostgreSQLPrograms.quoted(schema)).\(PostgreSQLPrograms.quoted(table)) "
                        + "SET SCHEMA \(PostgreSQLPrograms.quoted(kept))")
            }
        }
        return statements.map { $0 + ";\n" }.joined()
    }

    /// Statements that fail unless each table has as many rows as it had when the backup was made.
    private func conclusion(in schema: String, _ entry: AuditEntry) -> String {
        let schema = PostgreSQLPrograms.quoted(schema)
        var text = "DO $check$ BEGIN\n"
        for (table, rows) in file.manifest.tables.sorted(by: { $0.key < $1.key }) {
            text +=
                "IF (SELECT count(*) FROM \(schema).\(PostgreSQLPrograms.quoted(table))) <> \(rows) THEN "
                + "RAISE EXCEPTION 'the table \(table) has another number of rows than in the manifest'; END IF;\n"
        }
        text += "END $check$;\n"
        guard file.manifest.tables["audit"] != nil else { return text }
        let values = [entry.issuer, entry.subject, entry.name, entry.action.rawValue, entry.object, entry.detail]
        return text
            + "INSERT INTO \(schema).audit (at, issuer, subject, name, action, object, detail) VALUES (\(entry.at), "
            + values.map { "'" + $0.replacing("'", with: "''").filter { $0 != "\0" } + "'" }.joined(separator: ", ")
            + ");\n"
    }
}
