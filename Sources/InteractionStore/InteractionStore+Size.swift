extension InteractionStore {
    /// Returns the size of a PostgreSQL database on its server's disk, in bytes.
    ///
    /// - Throws: `StoreError`; also for SQLite, whose database is a file.
    package func databaseSize() throws -> Int64 {
        try database.read { session in
            try session.first("SELECT pg_database_size(current_database())") { $0.integer(0) } ?? 0
        }
    }
}
