/// Validation of a request's `Host` field (RFC 9110, section 7.2). Pure.
enum HostField {
    /// Returns whether a text is a host with an optional port: `campus.example`, `192.0.2.7:8480`, `[2001:db8::1]:443`.
    ///
    /// Servers disagree about which host any other text names (RFC 9112, section 3.2).
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= longest else { return false }
        var host = Array(text.utf8)[...]
        var port: ArraySlice<UInt8> = []
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            port = host[(end + 1)...]
            host = host[(host.startIndex + 1)..<end]
            guard host.contains(UInt8(ascii: ":")), host.allSatisfy(isOfAddress) else { return false }
        } else {
            let end = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
            port = host[end...]
            host = host[..<end]
            guard !host.isEmpty, host.allSatisfy(isOfName) else { return false }
        }
        guard let colon = port.popFirst() else { return true }
        // The port can be empty after the colon (RFC 3986, section 3.2.3).
        return colon == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy(isDigit)
    }

    /// Maximum length in bytes: a DNS name has at most 253, and a port can follow.
    private static let longest = 260

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Returns whether a byte occurs in common host names: letters, digits and `-._~`. Percent-encoding and the other
    /// characters of RFC 3986 do not occur in DNS names.
    private static func isOfName(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._~".utf8.contains(byte)
    }
}
