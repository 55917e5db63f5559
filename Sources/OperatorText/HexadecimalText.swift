/// Bytes as lower-case hexadecimal digits, two each.
package enum HexadecimalText {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the digits to a text in UTF-8. No capacity is reserved: a text with many additions would be copied for
    /// each.
    package static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}
