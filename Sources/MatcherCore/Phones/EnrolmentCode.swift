/// Codes by which phones enrol: twelve characters that are not mistaken for one another. Pure.
///
/// Eleven characters are random, 55 bits, and the last one checks them.
package enum EnrolmentCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 12

    /// Creates a code.
    ///
    /// - Parameter random: a random number, of which 55 bits are used.
    package static func make(from random: UInt64) -> String {
        let values = (1..<length).map { Int(random >> (5 * UInt64($0)) & 31) }
        return String(decoding: (values + [check(values)]).map { alphabet[$0] }, as: UTF8.self)
    }

    /// Returns a code in groups of four, for people.
    package static func shown(_ code: String) -> String {
        stride(from: 0, to: code.count, by: 4).map { String(code.dropFirst($0).prefix(4)) }.joined(separator: "-")
    }

    /// Reads a code as a person typed it.
    ///
    /// - Returns: `nil` if it is no valid code.
    package static func parse(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        var values: [Int] = []
        for byte in text.uppercased().utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            let character =
                switch byte {
                case UInt8(ascii: "O"): UInt8(ascii: "0")
                case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
                default: byte
                }
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            values.append(value)
        }
        guard values.count == length, check(values.dropLast()) == values.last else { return nil }
        return String(decoding: values.map { alphabet[$0] }, as: UTF8.self)
    }

    /// Returns the check value. Weights are odd, and adjacent ones differ: one wrong character is detected, and so are
    /// two exchanged adjacent ones, unless their values are 16 apart.
    private static func check(_ values: some Sequence<Int>) -> Int {
        values.enumerated().reduce(0) { ($0 + $1.element * (2 * $1.offset + 1)) % 32 }
    }
}
