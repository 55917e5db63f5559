/// Fields of a form or a query (`application/x-www-form-urlencoded`). Pure.
enum FormFields {
    /// Maximum number of fields.
    private static let most = 200
    /// Maximum number of fields of a form with the rows of a table.
    static let mostOfTable = 20_000

    /// Returns the fields, decoded.
    ///
    /// - Returns: `nil` if the text is damaged, if there are too many fields, or if a field is there twice.
    static func parse(_ text: some StringProtocol, upTo most: Int = Self.most) -> [String: String]? {
        var fields: [String: String] = [:]
        for part in text.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < most, let name = sides.first.flatMap({ decode(String($0)) }),
                let value = sides.count == 2 ? decode(String(sides[1])) : "",
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields
    }

    private static func decode(_ text: String) -> String? {
        PercentText.decode(String(text.map { $0 == "+" ? " " : $0 }))
    }

    /// Returns a value encoded for a query.
    static func encode(_ value: String) -> String {
        value.utf8.reduce(into: "") { text, byte in
            let isUnreserved =
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._~".utf8.contains(byte)
            if isUnreserved {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
