/// The fields at one place of a file, by key. Problems are added to those of the file.
package protocol FileFields {
    /// Place in the file: `modules[2]` or `row 7 (door)`.
    var place: String { get }

    func has(_ key: String) -> Bool
    func string(_ key: String) -> String?
    /// - Parameter allowed: the text that follows `must be` and `must be a whole number`.
    func integer(_ key: String, allowed: String, where isAllowed: (Int) -> Bool) -> Int?
    func report(_ key: String, found: String, allowed: String)
    /// Reports that the required `key` is missing.
    func missing(_ key: String, allowed: String)
}

extension FileFields {
    /// Returns a string parsed by `parse`; `nil` if it is missing or cannot be parsed, which is reported.
    package func parsed<Value>(_ key: String, allowed: String, _ parse: (String) -> Value?) -> Value? {
        guard let text = string(key) else { return nil }
        guard let value = parse(text) else {
            report(key, found: "found \(text.excerpt)", allowed: "must be \(allowed)")
            return nil
        }
        return value
    }

    package func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        integer(key, allowed: "from \(range.lowerBound) to \(range.upperBound)") { range.contains($0) }
    }
}

extension String {
    /// The text in quotes for a message: shortened, and without terminal control characters.
    package var excerpt: String {
        "\"" + shown(upTo: 60) + "\""
    }
}
