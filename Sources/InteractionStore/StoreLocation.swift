/// The location of a store.
package enum StoreLocation: Equatable, Sendable {
    /// The path of an SQLite database, which is created if it is missing.
    case sqlite(String)
    /// A PostgreSQL connection string: `postgresql://user@host/database` or `host=... dbname=...` (libpq, section
    /// 34.1.1).
    case postgreSQL(String)

    package static let form =
        "the path of a file, or a connection string: postgresql://USER@HOST/DATABASE or host=HOST dbname=DATABASE; a "
        + "path that contains = must begin with / or ./"

    /// Parses a location.
    ///
    /// - Returns: `nil` when the text is neither a path nor a connection string. A text that looks like a connection
    ///   string is not accepted as a path: everything would be stored in a local file whose name contains the password.
    ///   Error messages must not quote the text.
    package init?(_ text: String) {
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace,
            !text.utf8.contains(0)
        else { return nil }
        let lowercased = text.lowercased()
        let hasEqualsSign = text.utf8.contains(UInt8(ascii: "="))
        if ["/", "./", "../"].contains(where: { text.hasPrefix($0) }) {
            // The directory of a socket, followed by options, is not a connection string.
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

    /// Hosts of a database on other machines to which a connection may be unencrypted, or whose identity is not
    /// verified (libpq, section 34.19.1); `nil` when there are none.
    package var hostWithoutVerifiedTLS: String? {
        guard case .postgreSQL(let text) = self, let options = PostgreSQLConnection.options(text) else { return nil }
        if ["verify-ca", "verify-full"].contains(options["sslmode"]) { return nil }
        let others = Self.hosts(options).filter { host in
            // A directory, or a name in the abstract namespace, denotes a socket.
            !host.hasPrefix("/") && !host.hasPrefix("@") && host != "localhost" && host != "::1"
                && !(host.hasPrefix("127.") && host.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") })
        }
        // Anything before another @ is the rest of a password that contains an @.
        let shown = others.compactMap { $0.split(separator: "@").last.map(String.init) }
        return others.isEmpty ? nil : shown.joined(separator: ", ")
    }

    /// Returns the location of each server that is tried: its address takes precedence over its name (libpq, section
    /// 34.1.2).
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

    /// The location without a password, for display and logs.
    package var description: String {
        switch self {
        case .sqlite(let path): return path
        case .postgreSQL(let text):
            // Parsed by libpq: a password can be anywhere in the text.
            let options = PostgreSQLConnection.options(text) ?? [:]
            let named = [options["host"], options["hostaddr"]].compactMap(\.self).first { !$0.isEmpty }
            // If a password contains / or @ that is not percent-encoded, parts of it end up in other fields. The host
            // can begin with @, as a socket.
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
