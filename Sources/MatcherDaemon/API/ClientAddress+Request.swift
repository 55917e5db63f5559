import Glibc
import HTTPServing
import HTTPTypes
import Hummingbird

/// Clients of a server that may be behind a proxy.
extension ClientAddress {
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// Returns the client's address; for IPv6 its network of 64 bits, because a client that has one has all its
    /// addresses (RFC 6177).
    ///
    /// - Parameter isBehindProxy: uses the last address of `X-Forwarded-For`, which the proxy saw. Any client can forge
    ///   the addresses before it.
    static func of(_ request: Request, connection: String, isBehindProxy: Bool) -> String {
        network(of: address(of: request, connection, isBehindProxy))
    }

    private static func address(of request: Request, _ connection: String, _ isBehindProxy: Bool) -> String {
        guard isBehindProxy, let name = forwardedFor, let field = request.headers[values: name].last,
            let last = field.split(separator: ",").last
        else { return connection }
        return forwarded(last) ?? connection
    }

    /// Returns an address as proxies write it: alone, with a port, in brackets or quotation marks (RFC 7239, section
    /// 6).
    ///
    /// - Returns: `nil` for any other text: a text that differs each time would get a new budget each time.
    private static func forwarded(_ text: Substring) -> String? {
        var text = text.drop { $0 == " " || $0 == "\t" || $0 == "\"" }
        while let last = text.last, last == " " || last == "\t" || last == "\"" { text = text.dropLast() }
        guard text.utf8.count <= 64 else { return nil }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = text.dropFirst().prefix(upTo: end)
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = text.prefix { $0 != ":" }
        }
        // Without the name of an interface.
        let address = String(text.prefix { $0 != "%" })
        var octets = [UInt8](repeating: 0, count: 16)
        let isAddress = [AF_INET, AF_INET6].contains { inet_pton($0, address, &octets) == 1 }
        return isAddress ? address : nil
    }
}
