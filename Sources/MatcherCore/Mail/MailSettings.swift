/// Settings of e-mail.
package struct MailSettings: Equatable, Sendable {
    package var server: MailServer
    /// Name and password at the server; `nil` for a server that asks for none.
    package var login: Login?
    package var from: Mailbox

    package struct Login: Equatable, Sendable {
        package var user: String
        package var password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    package init(server: MailServer, login: Login? = nil, from: Mailbox) {
        self.server = server
        self.login = login
        self.from = from
    }
}

/// Mail server with the way to it.
package struct MailServer: Equatable, Sendable {
    /// Address without path: `smtps://mail.campus.example`.
    package let url: String
    package let security: Security

    package enum Security: Equatable, Sendable {
        /// TLS from the first byte on.
        case tls
        /// TLS after a greeting, and nothing without it.
        case startTLS
        /// No TLS, on this machine alone.
        case none
    }

    package static let form =
        "smtps://HOST or smtps://HOST:PORT; smtp://HOST:587 for STARTTLS, which is required but on this machine"

    /// Parses an address; `nil` if it is not of that form.
    package init?(_ text: String) {
        let text = text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
        guard let scheme = ["smtps://", "smtp://"].first(where: text.hasPrefix), text.utf8.count <= 260 else {
            return nil
        }
        let authority = text.dropFirst(scheme.count).lowercased()
        let colon = authority.hasPrefix("[") ? authority.ranges(of: "]:").first : authority.ranges(of: ":").first
        let host = colon.map { authority[..<authority.index(before: $0.upperBound)] } ?? authority[...]
        if let colon {
            guard let port = UInt16(authority[colon.upperBound...]), port > 0 else { return nil }
        }
        guard Self.isHost(host) else { return nil }
        let isLocal = host == "localhost" || host == "127.0.0.1" || host == "[::1]"
        url = scheme + authority
        security = scheme == "smtps://" ? .tls : isLocal ? .none : .startTLS
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") {
            return host.hasSuffix("]") && host.count > 3
                && host.dropFirst().dropLast().utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
        }
        return !host.isEmpty
            && host.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz-.".utf8.contains($0) }
    }
}
