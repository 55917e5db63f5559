import OperatorText

/// Texts in header fields of e-mails: one line of ASCII each, whatever is in them (RFC 2047). Pure.
enum MailHeader {
    /// Maximum length of an encoded word. RFC 2047 allows 75; the first of a field follows the name of the field.
    private static let longestWord = 60
    /// Maximum length of a text that is not encoded, so that its line has at most 78 characters.
    private static let longestPlain = 60
    /// Maximum length of a text, in Unicode scalars.
    private static let longest = 200

    /// Returns a name in front of an address.
    static func phrase(_ text: String) -> String {
        let text = text.shown(upTo: longest)
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"\"\\".utf8.contains($0) }
        return isPlain && text.utf8.count <= longestPlain && !text.contains("=?")
            ? "\"\(text)\"" : encoded(text)
    }

    /// Returns a text without structure, such as a subject.
    static func text(_ text: String) -> String {
        let text = text.shown(upTo: longest)
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain && text.utf8.count <= longestPlain && !text.contains("=?") ? text : encoded(text)
    }

    /// Returns a text in encoded words, each on a line of its own, none of which parts a character.
    private static func encoded(_ text: String) -> String {
        let (start, end) = ("=?utf-8?Q?", "?=")
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            let code = String(scalar).utf8.reduce(into: "") { $0 += encoded($1) }
            if start.utf8.count + word.utf8.count + code.utf8.count + end.utf8.count > longestWord {
                words.append(start + word + end)
                word = ""
            }
            word += code
        }
        if !word.isEmpty || words.isEmpty { words.append(start + word + end) }
        return words.joined(separator: "\r\n ")
    }

    /// Returns a byte of an encoded word. The characters that stay are those of section 5 (3): they are safe in a
    /// phrase.
    private static func encoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: " "): "_"
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            String(Unicode.Scalar(byte))
        default: "=" + QuotedPrintable.hexadecimal(byte)
        }
    }
}
