import OperatorText

/// Address of the identity provider: HTTPS, or HTTP on this machine.
package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
    /// The address as it was given.
    package let text: String
    private let hasQuery: Bool

    package static let form =
        "https://HOST/PATH without user and fragment, at most 2048 bytes of ASCII; http only on loopback: 127.0.0.1, "
        + "[::1] or localhost"

    private static let longest = 2048

    package var description: String { text }

    /// Parses an address; `nil` if it is not of the form.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        let lowercase = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lowercase.hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
        guard let host = Self.host(of: authority) else { return nil }
        guard scheme == "https://" || PublicAddress.isLoopback(host) else { return nil }
        self.text = text
        hasQuery = rest.contains("?")
    }

    /// Whether the address can be an issuer, which has no query (OpenID Connect Discovery 1.0, section 3).
    package var isIssuer: Bool { !hasQuery }

    /// Returns the address with more fields in its query.
    func adding(_ fields: [(String, String)]) -> String {
        let separator = hasQuery ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?"
        return text + separator + FormText.encode(fields)
    }

    /// Returns the host, an IPv6 address with its brackets; `nil` if the authority has a user or is not valid.
    private static func host(of authority: String) -> String? {
        let end: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            end = authority.index(after: bracket)
            guard IPv6Text.isAddress(authority[..<bracket].dropFirst()) else { return nil }
        } else {
            end = authority.firstIndex(of: ":") ?? authority.endIndex
            guard end > authority.startIndex, authority[..<end].utf8.allSatisfy(isOfName) else { return nil }
        }
        let port = authority[end...]
        guard port.isEmpty || isPort(port) else { return nil }
        return String(authority[..<end])
    }

    /// Whether the text is a colon with a port.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        return text.hasPrefix(":") && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(digits) ?? 0 > 0
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether an address may have the character. A fragment's number sign is none of them.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }
}
