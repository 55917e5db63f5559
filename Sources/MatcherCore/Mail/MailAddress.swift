/// E-mail address of one mailbox, in the form that every mail server takes: ASCII, without quotation marks, comments
/// and routes. An address of another form is refused, because a part of it could become a command or a header field.
package struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package let domain: String

    package static let form = "an address in ASCII of at most 254 characters, such as health@campus.example"

    private static let longest = 254

    /// Parses an address; `nil` if it is not of that form.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.longest, bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
            let sign = bytes.firstIndex(of: UInt8(ascii: "@")), Self.isLocalPart(bytes[..<sign]),
            Self.isDomain(bytes[bytes.index(after: sign)...])
        else { return nil }
        description = text
        domain = String(text[bytes.index(after: sign)...])
    }

    /// Whether bytes are words with full stops between them (RFC 5322, section 3.2.3).
    private static func isLocalPart(_ bytes: Substring.UTF8View) -> Bool {
        (1...64).contains(bytes.count)
            && bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
            }
    }

    /// Whether bytes are a domain of at least two labels, and no address of a machine.
    private static func isDomain(_ bytes: Substring.UTF8View) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
            } && labels.last?.contains { !isDigit($0) } == true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
