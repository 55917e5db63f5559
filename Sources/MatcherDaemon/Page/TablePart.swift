/// Part of a table that a page shows. Pure.
struct TablePart: Equatable, Sendable {
    /// Places of its rows in the table.
    let range: Range<Int>
    /// Number of rows of the table.
    let count: Int

    /// Creates the part that an address asks for. Behind the end of the table it is the last part: an empty table would
    /// look as if there were nothing.
    ///
    /// - Parameters:
    ///   - asked: number of rows before the part, in digits; anything else means the first part.
    ///   - most: maximum number of rows of a part.
    init(asked: String?, of count: Int, most: Int) {
        let place = asked.flatMap { Int($0) } ?? 0
        let first = max(0, place < count ? place : (count - 1) / most * most)
        range = first..<min(first + most, count)
        self.count = count
    }

    var isAll: Bool { range.count == count }

    /// Number of rows before the next part; `nil` if this is the last.
    var next: Int? { range.upperBound < count ? range.upperBound : nil }

    /// Returns what is shown of the table, in a sentence.
    func extent(_ what: String) -> String {
        isAll ? "\(what): \(count)." : "\(what) \(range.lowerBound + 1) to \(range.upperBound) of \(count)."
    }
}
