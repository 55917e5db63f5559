/// Where interactions are stored.
package enum StoreLocation: Equatable, Sendable {
    /// The path of an SQLite database, which is made if it isn't there.
    case sqlite(String)
    /// A connection string of PostgreSQL: `postgresql://user@host/database` or `host=... dbname=...` (libpq, section
    /// 34.1.1).
    case postgreSQL(String)

    package static let form =
        "the path of a file, or a connection string: postgresql://USER@HOST/DATABASE or host=HOST dbname=DATABASE; "
        + "a path with = in it begins with / or ./"

    /// - Returns: `nil` when it is neither. What looks like a connection string isn't taken for a path: everything would be
    ///   stored in a local file, whose name has the password. Whoever says so doesn't quote the text.
    package init?(_ text: String) {
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace,
            !text.utf8.contains(0)
        else { return nil }
        let lowercased = text.lowercased()
        let hasEqualsSign = text.utf8.contains(UInt8(ascii: "="))
        if ["/", "./", "../"].contains(where: { text.hasPrefix($0) }) {
            // A directory of a socket, with options behind it, is no connection string.
            if hasEqualsSign, lowercased.contains("passw") { return nil }
            self = .sqlite(text)
            return
        }
        let isConnection =
            hasEqualsSign || text.contains("://")
            || ["postgres:", "postgresql:"].contains { lowercased.hasPrefix($0) }
        if !isConnection {
            self = .sqlite(text)
            return
        }
        // libpq knows all its forms: hostaddr=, service=, spaces around =.
        guard PostgreSQLConnection.options(text) != nil else { return nil }
        self = .postgreSQL(text)
    }

    /// The hosts of a database on other machines to which a connection may go that isn't encrypted, or whose other end isn't
    /// verified (libpq, section 34.19.1); `nil` when there is none.
    package var hostWithoutVerifiedTLS: String? {
        guard case .postgreSQL(let text) = self, let options = PostgreSQLConnection.options(text) else { return nil }
        if ["verify-ca", "verify-full"].contains(options["sslmode"]) { return nil }
        let others = Self.hosts(options).filter { host in
            // A directory, or a name of the abstract namespace, is of a socket.
            !host.hasPrefix("/") && !host.hasPrefix("@") && host != "localhost" && host != "::1"
                && !(host.hasPrefix("127.") && host.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") })
        }
        // Before another @ is the rest of a password with an @ in it.
        let shown = others.compactMap { $0.split(separator: "@").last.map(String.init) }
        return others.isEmpty ? nil : shown.joined(separator: ", ")
    }

    /// Of each server that is tried, where it is: its address counts before its name (libpq, section 34.1.2).
    private static func hosts(_ options: [String: String]) -> [String] {
        let (addresses, names) = (list(options["hostaddr"]), list(options["host"]))
        if addresses.isEmpty { return names.filter { !$0.isEmpty } }
        let hosts = addresses.enumerated().map { index, address in
            address.isEmpty && index < names.count ? names[index] : address
        }
        return hosts.filter { !$0.isEmpty }
    }

    private static func list(_ option: String?) -> [String] {
        guard let option, !option.isEmpty else { return [] }
        return option.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Without a password: it is shown to people and logged.
    package var description: String {
        switch self {
        case .sqlite(let path): return path
        case .postgreSQL(let text):
            // As libpq reads it: a password may be anywhere in it.
            let options = PostgreSQLConnection.options(text) ?? [:]
            let named = [options["host"], options["hostaddr"]].compactMap(\.self).first { !$0.isEmpty }
            // A password with / or @ in it that nobody wrote as % and digits: parts of it are elsewhere. The host may begin with
            // @, as a socket.
            let parts = [named.map { String($0.dropFirst()) }, options["port"], options["dbname"]]
            let isTorn = parts.contains { $0?.contains("@") ?? false }
            guard let host = named, !isTorn else { return "a PostgreSQL database" }
            let port = options["port"].map { ":\($0)" } ?? ""
            return "PostgreSQL at \(host)\(port)" + (options["dbname"].map { "/\($0)" } ?? "")
        }
    }
}

extension StoreLocation: CustomStringConvertible, CustomDebugStringConvertible {
    package var debugDescription: String { description }
}
