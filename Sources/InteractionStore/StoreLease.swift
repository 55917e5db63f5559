import BeaconModel
import CPostgreSQL
import Glibc
import SystemIO

/// The right to be the only one of a name that writes to a store: whoever has it when this process is killed loses it.
package final class StoreLease: Sendable {
    private let descriptor: CInt
    private nonisolated(unsafe) let connection: OpaquePointer?

    private init(descriptor: CInt = -1, connection: OpaquePointer? = nil) {
        self.descriptor = descriptor
        self.connection = connection
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let connection { PQfinish(connection) }
    }

    /// What only one at a time may be.
    package enum Role: Sendable {
        /// The matcher of this client identifier.
        case matcher(String)
        /// The one of all matchers of a store that says what is to be said once.
        case spokesman

        fileprivate var fileSuffix: String {
            switch self {
            case .matcher(let name): ".lock-" + name
            case .spokesman: ".spokesman"
            }
        }

        /// The text that PostgreSQL makes a lock's number of, and the seed that keeps the numbers of roles apart.
        fileprivate var key: (text: String, seed: Int) {
            switch self {
            case .matcher(let name): (name, 7)
            case .spokesman: ("", 8)
            }
        }
    }

    /// - Returns: `nil` while another process has it.
    /// - Throws: `StoreError`.
    package static func acquire(_ location: StoreLocation, _ role: Role) throws -> StoreLease? {
        switch location {
        case .sqlite(let path): try acquireFile(path + role.fileSuffix)
        case .postgreSQL(let connection): try acquireRow(connection, role.key)
        }
    }

    /// Whether it is still held: a server that was restarted has forgotten it.
    package var isHeld: Bool {
        guard let connection else { return true }
        let result = PQexec(connection, "SELECT 1")
        defer { PQclear(result) }
        return PQresultStatus(result) == PGRES_TUPLES_OK
    }

    private static func acquireFile(_ path: String) throws -> StoreLease? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                "can't make \(path): \(SystemError.text(errno))",
                remedy: "make its directory, and let the user of the matcher write there")
        }
        // The kernel releases it when the process ends, however it ends.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return StoreLease(descriptor: descriptor) }
        close(descriptor)
        return nil
    }

    private static func acquireRow(_ connectionString: String, _ key: (text: String, seed: Int)) throws -> StoreLease? {
        let place = StoreLocation.postgreSQL(connectionString)
        let connection = try PostgreSQLConnection.open(connectionString)
        // It closes the connection, whatever comes now.
        let lease = StoreLease(connection: connection)
        let text = strdup(key.text)
        defer { free(text) }
        let result = [UnsafePointer(text)].withUnsafeBufferPointer { arguments in
            PQexecParams(
                connection, "SELECT pg_try_advisory_lock(hashtextextended($1, \(key.seed)))", 1, nil,
                arguments.baseAddress, nil, nil, 0)
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, let value = PQgetvalue(result, 0, 0) else {
            throw StoreError("\(place): \(PostgreSQLConnection.message(connection))")
        }
        return value[0] == CChar(bitPattern: UInt8(ascii: "t")) ? lease : nil
    }
}
