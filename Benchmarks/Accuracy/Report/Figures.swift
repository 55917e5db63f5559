/// `name: value` lines that follow all tables.
struct Figures {
    private(set) var lines: [String] = []

    /// Nothing for `nil`.
    mutating func add(_ name: String, _ value: Double?, decimals: Int = 4) {
        let text = Format.number(value, decimals)
        if text != "-" { lines.append("\(name): \(text)") }
    }
}
