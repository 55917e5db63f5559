import BeaconModel
import CPostgreSQL
import Glibc

/// A connection to PostgreSQL; a lost connection is re-established at the next use.
final class PostgreSQLDatabase: SQLDatabase {
    private let connection: OpaquePointer
    private let name: String
    private let session: PostgreSQLSession

    /// Connects to the server.
    ///
    /// - Parameter connectionString: in libpq's syntax.
    /// - Throws: `StoreError`.
    init(_ connectionString: String) throws {
        name = StoreLocation.postgreSQL(connectionString).description
        connection = try PostgreSQLConnection.open(connectionString)
        session = PostgreSQLSession(connection: connection, name: name)
    }

    deinit { PQfinish(connection) }

    func write<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value {
        try transaction("BEGIN", body)
    }

    func read<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value {
        try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }

    func maintain(_ sql: String) throws {
        try reconnect()
        try session.run(sql)
    }

    private func transaction<Value>(_ begin: String, _ body: (any SQLSession) throws -> Value) throws -> Value {
        try reconnect()
        try session.run(begin)
        do {
            let value = try body(session)
            try session.run("COMMIT")
            session.endTransaction(isUndone: false)
            return value
        } catch {
            try? session.run("ROLLBACK")
            session.endTransaction(isUndone: true)
            throw error
        }
    }

    private func reconnect() throws {
        guard PQstatus(connection) != CONNECTION_OK else { return }
        PQreset(connection)
        session.forget()
        guard PQstatus(connection) == CONNECTION_OK else {
            throw StoreError(
                "\(name): \(PostgreSQLConnection.message(connection))", remedy: "start the server",
                exitStatus: .unavailable)
        }
        PostgreSQLConnection.setUp(connection)
    }
}
