/// Address at which browsers reach the page: `base-url` of the configuration, never a field of a request.
package struct PublicAddress: Equatable, Sendable {
    /// Scheme and authority, as browsers write an origin: `https://beacons.campus.example`.
    package let origin: String
    package let isHTTPS: Bool

    package static let form =
        "https://HOST or https://HOST:PORT, without a path; http only on loopback: http://127.0.0.1:8480"

    /// Parses an address; `nil` if it is not of that form.
    package init?(_ text: String) {
        var text = text[...]
        if text.hasSuffix("/") { text = text.dropLast() }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let authority = text.dropFirst(scheme.count).lowercased()
        guard (1...260).contains(authority.utf8.count), let host = Self.host(of: authority) else { return nil }
        isHTTPS = scheme == "https://"
        guard isHTTPS || Self.isLoopback(host) else { return nil }
        // Browsers leave the usual port out.
        let usual = isHTTPS ? ":443" : ":80"
        origin = scheme + (authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority)
    }

    /// Whether the page is only for browsers on this machine.
    package var isLoopback: Bool {
        Self.host(of: String(origin.drop { $0 != "/" }.dropFirst(2))).map(Self.isLoopback) ?? false
    }

    /// Name of the cookie with the session. Browsers accept the prefix only with `Secure`, from HTTPS.
    package var cookie: String { isHTTPS ? "__Host-beacon-session" : "beacon-session" }

    /// Name of the cookie that binds a sign-in in progress to its browser.
    package var signInCookie: String { isHTTPS ? "__Host-beacon-sign-in" : "beacon-sign-in" }

    /// Name of the cookie with what was typed of a self-report.
    package var selfReportCookie: String { isHTTPS ? "__Host-beacon-self-report" : "beacon-self-report" }

    /// Whether a host is this machine.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Returns the host of an authority without user; `nil` if it is not valid.
    private static func host(of authority: String) -> String? {
        let name: Substring
        var rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = authority[...end]
            rest = authority[authority.index(after: end)...]
            guard name.dropFirst().dropLast().utf8.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") })
            else { return nil }
        } else {
            name = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(name.count)
            guard !name.isEmpty, name.utf8.allSatisfy(isOfName) else { return nil }
        }
        if rest.isEmpty { return String(name) }
        rest = rest.dropFirst()
        guard authority.dropFirst(name.count).first == ":", let port = UInt16(rest), port > 0 else { return nil }
        return String(name)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
