import BeaconModel
import CPostgreSQL
import Glibc

/// Connections to PostgreSQL, set up so that neither side waits for ever for the other when a host or a cable fails.
enum PostgreSQLConnection {
    /// Settings for libpq, unless the connection string overrides them (PostgreSQL 15, section 34.1.2): in seconds,
    /// except for unacknowledged data, which is in milliseconds.
    private static let settings = [
        ("connect_timeout", "10"), ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("fallback_application_name", "beacon-matcher"),
    ]

    /// Settings for the server, which keeps the locks of a lost client until it notices the loss. JIT compilation is
    /// off: compiling a search takes longer than the search.
    private static let session = """
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; \
        SET idle_in_transaction_session_timeout = '60s'; SET jit = off
        """

    /// Opens a connection.
    ///
    /// - Parameter connectionString: in libpq's syntax.
    /// - Returns: an established connection, to be closed with `PQfinish`.
    /// - Throws: `StoreError`, which contains nothing of the connection string but host and database.
    static func open(_ connectionString: String) throws(StoreError) -> OpaquePointer {
        let place = StoreLocation.postgreSQL(connectionString)
        // libpq's own message about a malformed string quotes it, with the password.
        guard options(connectionString) != nil else {
            throw StoreError(
                "the connection string of the store is malformed",
                remedy: "write it as postgresql://USER@HOST/DATABASE, with % and two digits for special characters, "
                    + "or as host=HOST dbname=DATABASE",
                exitStatus: .configuration)
        }
        guard let connection = connect(connectionString) else {
            throw StoreError("\(place): out of memory while connecting")
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            let message = message(connection)
            PQfinish(connection)
            throw StoreError(
                "\(place): \(message)",
                remedy: "check the connection string, that the server is running, and that the user can connect",
                exitStatus: .unavailable)
        }
        // The server's notices would otherwise go to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        setUp(connection)
        return connection
    }

    /// Applies the session settings; must be called after each reconnect.
    static func setUp(_ connection: OpaquePointer) { PQclear(PQexec(connection, session)) }

    /// Returns libpq's latest message, in one line.
    static func message(_ connection: OpaquePointer?) -> String {
        guard let pointer = PQerrorMessage(connection) else { return "unknown error" }
        return String(cString: pointer).split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason"
    }

    /// Returns the options of a connection string by libpq's keywords; `nil` when libpq cannot parse it.
    static func options(_ connectionString: String) -> [String: String]? {
        var complaint: UnsafeMutablePointer<CChar>?
        defer { PQfreemem(complaint) }
        guard let first = PQconninfoParse(connectionString, &complaint) else { return nil }
        defer { PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = first
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }

    /// Returns a connection string as variables of libpq's environment, for programs of PostgreSQL, with a shorter
    /// connection string for the options that have no variable.
    ///
    /// - Throws: `StoreError` if it contains a secret that would be in the rest: everybody can see arguments.
    static func environment(
        _ connectionString: String
    ) throws(StoreError) -> (variables: [String: String], rest: String) {
        var complaint: UnsafeMutablePointer<CChar>?
        defer { PQfreemem(complaint) }
        guard let first = PQconninfoParse(connectionString, &complaint) else {
            throw StoreError("the connection string of the store is malformed", exitStatus: .configuration)
        }
        defer { PQconninfoFree(first) }
        var variables: [String: String] = [:]
        var rest: [String] = []
        var option = first
        while let keyword = option.pointee.keyword {
            defer { option += 1 }
            guard let value = option.pointee.val.map({ String(cString: $0) }) else { continue }
            if let variable = option.pointee.envvar {
                variables[String(cString: variable)] = value
            } else if String(cString: keyword) == "sslpassword" {
                throw StoreError(
                    "the store's connection string has sslpassword, which cannot be passed to pg_dump and psql safely",
                    remedy: "use a client key without a passphrase, readable for the matcher's user alone",
                    exitStatus: .configuration)
            } else {
                let quoted = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
                rest.append("\(String(cString: keyword))='\(quoted)'")
            }
        }
        return (variables, rest.joined(separator: " "))
    }

    private static func connect(_ connectionString: String) -> OpaquePointer? {
        // Later settings take precedence, and the string is expanded in place.
        let pairs = settings + [("dbname", connectionString)]
        let keywords = pairs.map { strdup($0.0) }
        let values = pairs.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        return (keywords + [nil]).map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            (values + [nil]).map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(keywords.baseAddress, values.baseAddress, 1)
            }
        }
    }
}
