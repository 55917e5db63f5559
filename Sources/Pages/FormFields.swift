import OperatorText

/// Fields of a form or a query (`application/x-www-form-urlencoded`).
package enum FormFields {
    /// Maximum number of fields.
    package static let most = 200
    /// Maximum number of fields of a form with the rows of a table.
    package static let mostOfTable = 20_000

    /// Returns the fields, decoded.
    ///
    /// - Returns: `nil` if the text is damaged or has a NUL, if there are too many fields, or if a field is there
    ///   twice.
    package static func parse(_ text: String, upTo most: Int = FormFields.most) -> [String: String]? {
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
        PercentText.decode(String(text.map { $0 == "+" ? " " : $0 })).flatMap { hasNUL($0) ? nil : $0 }
    }

    /// Whether a text has a NUL, which no form of the page sends, and no store takes.
    package static func hasNUL(_ text: String) -> Bool { text.utf8.contains(0) }

    /// Returns a value encoded for a query.
    package static func encode(_ value: String) -> String { PercentText.encode(value) }
}
