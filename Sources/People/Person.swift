package import Matching
import OperatorText

/// An entry of the register of people: whose badges and phones are whose.
package struct Person: Hashable, Sendable {
    /// Student or staff number; no two people have the same.
    package let number: String
    package let name: String
    /// E-mail addresses and telephone numbers, in the order of preference.
    package let contact: [String]
    /// Badges and phones, sorted.
    package let subjects: [SubjectIdentity]

    package static let longestNumber = 64
    package static let longestName = 200
    /// Maximum length of an address or telephone number, in bytes.
    package static let longestContact = 200
    package static let mostContacts = 5
    package static let mostSubjects = 8

    package init(number: String, name: String, contact: [String] = [], subjects: [SubjectIdentity] = []) {
        self.number = number
        self.name = name
        self.contact = contact
        self.subjects = Set(subjects).sorted()
    }

    /// The name with the number, by which people of one name are told apart.
    package var label: String { "\(name) (\(number))" }
}

// The rules for texts. A spreadsheet evaluates a cell that begins with a sign, quoted or not: an export must have none.
extension Person {
    static let numberForm =
        "must be 1 to \(longestNumber) printable ASCII characters, and must not begin with =, +, - or @"
    static let nameForm =
        "must be 1 to \(longestName) characters on one line with a letter, and must not begin with =, +, - or @"
    static let contactForm =
        "must be an e-mail address or a telephone number of at most \(longestContact) bytes; separate several with "
        + "semicolons"

    static func isNumber(_ text: String) -> Bool {
        (1...longestNumber).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && !CSVLine.isFormula(text)
    }

    static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.unicodeScalars.count) && text.shown(upTo: longestName) == text
            && !CSVLine.isFormula(text) && !FoldedName(text).isEmpty
    }

    static func isContact(_ text: String) -> Bool {
        (1...longestContact).contains(text.utf8.count) && (isTelephoneNumber(text) || isAddress(text))
    }

    /// Whether a text is a telephone number. It may begin with a plus: what a spreadsheet makes of digits is a number.
    private static func isTelephoneNumber(_ text: String) -> Bool {
        let rest = text.utf8.first == UInt8(ascii: "+") ? text.utf8.dropFirst() : text.utf8[...]
        return rest.count { isDigit($0) } >= 3
            && rest.first.map { isDigit($0) || $0 == UInt8(ascii: "(") } == true
            && rest.allSatisfy { isDigit($0) || " ()-/.".utf8.contains($0) }
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !CSVLine.isFormula(text)
            && text.shown(upTo: longestContact) == text
            // A combining mark would join the space in front of it, where contacts are written behind each other.
            && (" " + text).count == text.count + 1
            && text.unicodeScalars.allSatisfy { scalar in
                !scalar.isJoiner && !scalar.properties.isWhitespace && !"\"<>,;".unicodeScalars.contains(scalar)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
