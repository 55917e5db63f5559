/// A database that is used by one thread at a time. Everything blocks.
protocol SQLDatabase: AnyObject {
    /// Runs `body` in a transaction, which is committed when it returns and undone when it throws.
    ///
    /// - Throws: `StoreError`; what `body` throws.
    func write<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value

    /// Runs `body` in a transaction that sees one state of the database and changes nothing.
    func read<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value

    /// Runs one statement outside any transaction.
    func maintain(_ sql: String) throws
}
