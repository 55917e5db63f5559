/// Address at which a program listens for HTTP requests.
package enum ListenAddress: Equatable, Sendable {
    case host(String, port: Int)
    /// A Unix socket, for a proxy on the same machine.
    case socket(path: String)

    /// Forms of the setting, for messages.
    package static let form = "ADDRESS:PORT, such as 127.0.0.1:8480 or [::1]:8480, or unix:/PATH of a socket"
    /// Maximum length of a socket's path in bytes: the server accepts no longer one.
    private static let longestPath = 103

    /// Reads an address; `nil` if the text is none.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            // A daemon's working directory is no place for a socket.
            guard path.hasPrefix("/"), !path.hasSuffix("/"), path.utf8.count <= Self.longestPath,
                !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
            else { return nil }
            self = .socket(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        if host.isEmpty || host.utf8.contains(where: { $0 <= 0x20 || $0 > 0x7E }) { return nil }
        self = .host(String(host), port: Int(port))
    }

    /// The address for display.
    package var text: String {
        switch self {
        case .host(let host, let port): "\(host):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }

    package var isSocket: Bool {
        switch self {
        case .host: false
        case .socket: true
        }
    }
}
