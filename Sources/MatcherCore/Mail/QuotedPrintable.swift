/// Text in UTF-8 as lines of ASCII (RFC 2045, section 6.7). Pure.
enum QuotedPrintable {
    /// Maximum length of a line without its end. The last character of a line that goes on is an equals sign.
    private static let longestLine = 76

    /// Returns a text of lines encoded, with CR and LF after each line.
    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { encode(line: Array($0.utf8)) + "\r\n" }.joined(separator: "")
    }

    private static func encode(line: [UInt8]) -> String {
        var (encoded, length) = ("", 0)
        for (index, byte) in line.enumerated() {
            let code = code(of: byte, isLast: index == line.count - 1)
            if length + code.utf8.count > longestLine - 1 {
                encoded += "=\r\n"
                length = 0
            }
            encoded += code
            length += code.utf8.count
        }
        return encoded
    }

    private static func code(of byte: UInt8, isLast: Bool) -> String {
        switch byte {
        // White space at the end of a line is lost on the way.
        case UInt8(ascii: " ") where !isLast: " "
        case UInt8(ascii: "="): "=3D"
        case 0x21...0x7E: String(Unicode.Scalar(byte))
        default: "=" + hexadecimal(byte)
        }
    }

    static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
