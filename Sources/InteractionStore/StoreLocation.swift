/// Where interactions are stored.
public enum StoreLocation: Equatable, Sendable {
    /// The path of an SQLite database, which is made if it isn't there.
    case sqlite(String)
    /// A connection string of PostgreSQL: `postgresql://user@host/database` or `host=... dbname=...` (libpq, section
    /// 34.1.1).
    case postgreSQL(String)

    public static let form = "the path of a file, or a connection string: postgresql://USER@HOST/DATABASE"

    public init?(_ text: String) {
        if text.isEmpty || text.utf8.contains(0) { return nil }
        let isConnection =
            text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
            || text.contains("dbname=") || text.contains("host=")
        self = isConnection ? .postgreSQL(text) : .sqlite(text)
    }

    /// Without a password: it is shown to people and logged.
    public var description: String {
        switch self {
        case .sqlite(let path): return path
        case .postgreSQL(let text):
            // As libpq reads it: a password may be anywhere in it.
            let options = PostgreSQLConnection.options(text)
            guard let host = options?["host"] ?? options?["hostaddr"], !host.isEmpty else {
                return "a PostgreSQL database"
            }
            let port = options?["port"].map { ":\($0)" } ?? ""
            return "PostgreSQL at \(host)\(port)" + (options?["dbname"].map { "/\($0)" } ?? "")
        }
    }
}

extension StoreLocation: CustomStringConvertible, CustomDebugStringConvertible {
    public var debugDescription: String { description }
}
