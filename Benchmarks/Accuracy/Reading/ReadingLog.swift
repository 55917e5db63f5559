/// What was read and what wasn't, to be said before the tables.
struct ReadingLog {
    private(set) var lines: [String] = []
    private(set) var skipped: [String] = []

    mutating func skip(_ what: String, _ why: String) { skipped.append("skipped: \(what): \(why)") }

    /// - Parameters:
    ///   - malformed: rows that aren't what the header says.
    ///   - dropped: rows whose RSSI says nothing, or doubled callbacks.
    mutating func read(_ file: String, rows: Int, malformed: Int, dropped: Int = 0) {
        lines.append("read: \(file): \(rows) rows, \(malformed) malformed, \(dropped) dropped in cleaning")
    }

    mutating func note(_ text: String) { lines.append("note: \(text)") }
}
