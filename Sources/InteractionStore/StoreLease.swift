import BeaconModel
import CPostgreSQL
import Glibc
import SystemIO

/// An exclusive right, by role, to write to a store. A process that ends or is killed loses it.
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

    /// A role that only one process can have at a time.
    package enum Role: Sendable {
        /// The matcher with this client identifier.
        case matcher(String)
        /// The leader among all matchers of a store, which publishes what must be published once.
        case leader
        /// The process that upgrades the tables, or replaces the store by a backup.
        case upgrader

        fileprivate var fileSuffix: String {
            switch self {
            case .matcher(let name): ".lock-" + name
            case .leader: ".spokesman"
            case .upgrader: ".upgrade"
            }
        }

        /// The text from which PostgreSQL computes a lock's number, and the seed that keeps the numbers of the roles
        /// apart.
        fileprivate var key: (text: String, seed: Int) {
            switch self {
            case .matcher(let name): (name, 7)
            case .leader: ("", 8)
            case .upgrader: ("", 9)
            }
        }
    }

    /// Acquires the lease.
    ///
    /// - Returns: `nil` while another process holds it.
    /// - Throws: `StoreError`.
    package static func acquire(_ location: StoreLocation, _ role: Role) throws -> StoreLease? {
        switch location {
        case .sqlite(let path): try acquireFile(path + role.fileSuffix)
        case .postgreSQL(let connection): try acquireRow(connection, role.key)
        }
    }

    /// Acquires the lease, or waits a second for a process that was killed: a server notices that a little later.
    ///
    /// - Returns: `nil` while another process holds it.
    /// - Throws: `StoreError`.
    static func acquirePatiently(_ location: StoreLocation, _ role: Role) throws -> StoreLease? {
        for _ in 0..<10 {
            if let lease = try acquire(location, role) { return lease }
            usleep(100_000)
        }
        return nil
    }

    /// Whether the lease is still held: a restarted server has forgotten it.
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
                "cannot create \(path): \(SystemError.text(errno))",
                remedy: "create its directory, and make it writable for the matcher's user")
        }
        // A command run by root must not lock the matcher's user out.
        FileContents.giveToDirectoryOwner(descriptor, path)
        // The kernel releases the lock when the process ends, however it ends.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return StoreLease(descriptor: descriptor) }
        close(descriptor)
        return nil
    }

    private static func acquireRow(_ connectionString: String, _ key: (text: String, seed: Int)) throws -> StoreLease? {
        let place = StoreLocation.postgreSQL(connectionString)
        let connection = try PostgreSQLConnection.open(connectionString)
        // The lease closes the connection, whatever happens next.
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
        return UInt8(truncatingIfNeeded: value[0]) == UInt8(ascii: "t") ? lease : nil
    }
}
