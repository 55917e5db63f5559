import OperatorText

/// Bytes in PostgreSQL's text format: `\x` and hexadecimal digits (PostgreSQL 15, section 8.4.1).
enum PostgreSQLBytes {
    /// Values of hexadecimal digits by byte; 255 for bytes that are not digits.
    private static let values: [UInt8] = (0..<256).map { byte in
        switch UInt8(truncatingIfNeeded: byte) {
        case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): byte - UInt8(ascii: "0")
        case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte): byte - UInt8(ascii: "a") + 10
        case let byte where (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte): byte - UInt8(ascii: "A") + 10
        default: 255
        }
    }

    static func text(_ bytes: [UInt8]) -> String {
        var text = Array("\\x".utf8)
        HexadecimalText.append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses bytes in this format.
    ///
    /// - Returns: an empty array for malformed text.
    static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        guard text.count >= 2, text.count.isMultiple(of: 2), text[0] == UInt8(ascii: "\\"), text[1] == UInt8(ascii: "x")
        else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2 - 1)
        for index in stride(from: 2, to: text.count, by: 2) {
            let (high, low) = (values[Int(text[index])], values[Int(text[index + 1])])
            if high > 15 || low > 15 { return [] }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
