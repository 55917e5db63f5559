/// What a file says in one of its places, by key; what is wrong is left with the file's problems.
package protocol FileFields {
    /// Where it is in its file: `modules[2]` or `row 7 (door)`.
    var place: String { get }

    func has(_ key: String) -> Bool
    func string(_ key: String) -> String?
    /// - Parameter allowed: follows `must be` and `must be a whole number`.
    func integer(_ key: String, allowed: String, where isAllowed: (Int) -> Bool) -> Int?
    func report(_ key: String, found: String, allowed: String)
    /// Says that `key` has to be there.
    func missing(_ key: String, allowed: String)
}

extension FileFields {
    /// A string that `parse` can read.
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
    /// In quotes, for a message: short, and without characters that a terminal obeys.
    package var excerpt: String {
        "\"" + shown(upTo: 60) + "\""
    }
}
