extension SQLSession {
    func hasTable(_ name: String) throws -> Bool {
        let sql =
            switch dialect {
            case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1"
            case .postgreSQL: "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1"
            }
        return try first(sql, [.text(name)]) { _ in true } ?? false
    }

    private var lock: Int64 { SQLLock.store }

    /// Locks out other sessions that create tables, until the end of the transaction.
    func lockTables() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock + 1))") { _ in }
    }

    /// Locks out sessions that erase or create tables; sessions that store do not block each other.
    func lockShared() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock_shared(\(lock))") { _ in }
    }

    /// Locks out other sessions that change the register of people, until the end of the transaction.
    func lockRegister() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock + 3))") { _ in }
    }

    func lockExclusively() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock))") { _ in }
    }

    /// Limits how long the rest of the transaction waits for those who read a table that it removes: all others who use
    /// the table wait meanwhile. A backup reads all tables until its end.
    func limitWaiting() throws {
        guard dialect == .postgreSQL else { return }
        try execute("SET LOCAL lock_timeout = '2s'")
    }
}

/// Numbers of advisory locks of PostgreSQL.
enum SQLLock {
    /// Lock of the store, which those that follow it belong to.
    static let store: Int64 = 0x6265_6163
}
