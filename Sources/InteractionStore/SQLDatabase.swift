/// A database that is used by one thread at a time. All calls block.
protocol SQLDatabase: AnyObject {
    /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws.
    ///
    /// - Throws: `StoreError`, and any error that `body` throws.
    func write<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value

    /// Runs `body` in a read-only transaction that sees one state of the database.
    func read<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value

    /// Runs one statement outside any transaction.
    func maintain(_ sql: String) throws
}
