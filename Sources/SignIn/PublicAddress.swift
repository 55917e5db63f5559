import OperatorText

/// Address at which browsers reach the page: `base-url` of the configuration, never a field of a request.
package struct PublicAddress: Equatable, Sendable {
    /// Scheme and authority, as browsers write an origin: `https://beacons.campus.example`.
    package let origin: String
    package let isHTTPS: Bool

    package static let form =
        "https://HOST or https://HOST:PORT, without a path, as browsers write it; http only on loopback: "
        + "http://127.0.0.1:8480"

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

    /// Returns the host of an authority without user; `nil` if it is not valid, or browsers write it in another form: an
    /// address that differs from what they send would refuse every form.
    private static func host(of authority: String) -> String? {
        let name: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = authority[...end]
            let address = name.dropFirst().dropLast()
            guard IPv6Text.normal(address) == String(address) else { return nil }
        } else {
            name = authority.prefix { $0 != ":" }
            guard isName(name) else { return nil }
        }
        let port = authority[name.endIndex...]
        return port.isEmpty || isPort(port) ? String(name) : nil
    }

    /// Whether the text is a colon with a port, as browsers write it.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        return text.hasPrefix(":") && digits.utf8.allSatisfy(isDigit) && !digits.hasPrefix("0") && UInt16(digits) != nil
    }

    /// Whether the text is a name or an IPv4 address, as browsers write it.
    private static func isName(_ text: Substring) -> Bool {
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // The root of all names.
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        guard labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isOfLabel) }), let last = labels.last else {
            return false
        }
        // Browsers take a name whose end is a number for an IPv4 address (URL Standard, "ends in a number").
        let isNumber = last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x")
        return !isNumber || isIPv4(text)
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { "\($0)" == part } ?? false }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
    }
}
