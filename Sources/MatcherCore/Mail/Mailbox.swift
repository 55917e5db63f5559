import OperatorText

/// E-mail address with the name that is shown for it.
package struct Mailbox: Hashable, Sendable {
    /// Empty if there is none.
    package var name: String
    package var address: MailAddress

    package static let form = "a name with an address: \"Health office <health@campus.example>\""

    /// Maximum length of a name, in Unicode scalars.
    private static let longestName = 100

    package init(name: String = "", address: MailAddress) {
        self.name = name
        self.address = address
    }

    /// Parses `Name <address>`, or an address alone; `nil` for anything else.
    package init?(_ text: String) {
        guard text.utf8.last == UInt8(ascii: ">"), let open = text.utf8.lastIndex(of: UInt8(ascii: "<")) else {
            guard let address = MailAddress(text) else { return nil }
            self.init(address: address)
            return
        }
        let name = text[..<open].split(separator: " ").joined(separator: " ")
        guard let address = MailAddress(String(text[text.utf8.index(after: open)...].dropLast())),
            !name.unicodeScalars.contains(where: { "\"<>\\".unicodeScalars.contains($0) }),
            name.unicodeScalars.count <= Self.longestName, name.shown(upTo: Self.longestName) == name
        else { return nil }
        self.init(name: name, address: address)
    }

    /// The name, or the address where there is none.
    package var shownName: String { name.isEmpty ? address.description : name }

    /// The mailbox as the value of a header field.
    var field: String {
        name.isEmpty ? address.description : "\(MailHeader.phrase(name))\r\n <\(address)>"
    }
}
