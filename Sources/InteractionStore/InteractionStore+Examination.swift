import BeaconModel
import CPostgreSQL
import Glibc
import OperatorText

extension InteractionStore {
    /// What a store's location turned out to be, before anything is stored there.
    package enum Examination: Equatable, Sendable {
        /// There is an SQLite file that may be used.
        case file
        /// There is no file yet, and its directory can be written.
        case writableDirectory
        /// The directory is missing: it is not created by the program.
        case noDirectory(String)
        /// The server let the user in, who can create tables.
        case server
    }

    /// Looks whether a location can hold a store. Creates nothing, and opens no existing SQLite store.
    ///
    /// - Throws: `StoreError`.
    package static func examine(_ location: StoreLocation) throws -> Examination {
        switch location {
        case .sqlite(let path):
            try check(location)
            if access(path, F_OK) == 0 { return .file }
            let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            let place = directory.isEmpty ? "/" : directory
            guard access(place, F_OK) == 0 else { return .noDirectory(place) }
            guard access(place, W_OK | X_OK) == 0 else {
                throw StoreError(
                    "\(place) cannot be written by this user",
                    remedy: "choose another directory, or run this with sudo", exitStatus: .permission)
            }
            return .writableDirectory
        case .postgreSQL(let text):
            let connection = try PostgreSQLConnection.open(text)
            defer { PQfinish(connection) }
            let result = PQexec(connection, "SELECT has_schema_privilege(current_schema(), 'CREATE')")
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_TUPLES_OK, let value = PQgetvalue(result, 0, 0),
                value.pointee == CChar(UInt8(ascii: "t"))
            else {
                throw StoreError(
                    "the user of \(location) cannot create tables there",
                    remedy: "let the database's owner run: GRANT CREATE ON SCHEMA public TO the user, or make the user "
                        + "the owner of the database",
                    exitStatus: .permission)
            }
            return .server
        }
    }
}
