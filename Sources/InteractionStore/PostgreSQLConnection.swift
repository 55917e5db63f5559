import BeaconModel
import CPostgreSQL
import Glibc

/// How connections to PostgreSQL are made, so that neither side waits for ever for the other when a host or a cable is gone.
enum PostgreSQLConnection {
    /// For libpq, unless the connection string says otherwise (PostgreSQL 15, section 34.1.2): seconds, but milliseconds
    /// for what is unacknowledged.
    private static let settings = [
        ("connect_timeout", "10"), ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("fallback_application_name", "beacon-matcher"),
    ]

    /// For the server, which keeps the locks of a client that is gone until it knows. It compiles no statements: to compile
    /// a search takes longer than the search.
    private static let session = """
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; \
        SET idle_in_transaction_session_timeout = '60s'; SET jit = off
        """

    /// - Parameter connectionString: as libpq takes it.
    /// - Returns: a connection that holds, for `PQfinish`.
    /// - Throws: `StoreError`, without anything of the connection string but host and database.
    static func open(_ connectionString: String) throws(StoreError) -> OpaquePointer {
        let place = StoreLocation.postgreSQL(connectionString)
        // What libpq itself says of a string that it can't read quotes it, with the password.
        guard options(connectionString) != nil else {
            throw StoreError(
                "the connection string of the store can't be read",
                remedy: "write it as postgresql://USER@HOST/DATABASE, with % and two digits for special characters, "
                    + "or as host=HOST dbname=DATABASE",
                exitStatus: .configuration)
        }
        guard let connection = connect(connectionString) else {
            throw StoreError("\(place): no memory for a connection")
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            let message = message(connection)
            PQfinish(connection)
            throw StoreError(
                "\(place): \(message)",
                remedy: "check the connection string, that the server runs, and that its user may connect",
                exitStatus: .unavailable)
        }
        // What the server has to say beside an answer would go to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        setUp(connection)
        return connection
    }

    /// Again after each reconnect.
    static func setUp(_ connection: OpaquePointer) { PQclear(PQexec(connection, session)) }

    /// What libpq said last, in one line.
    static func message(_ connection: OpaquePointer?) -> String {
        guard let pointer = PQerrorMessage(connection) else { return "no reason" }
        return String(cString: pointer).split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason"
    }

    /// What a connection string says, by libpq's keywords; `nil` when libpq can't read it.
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

    private static func connect(_ connectionString: String) -> OpaquePointer? {
        // What comes later counts, and the string is expanded where it stands.
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
