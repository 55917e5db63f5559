/// A CSV file with a header line.
struct CSVTable {
    let path: String
    private(set) var rows: [[Substring]] = []
    /// Lines of the file in which a quote is not closed. They are no rows.
    private(set) var openQuotes: [Int] = []
    /// Number of columns.
    let width: Int
    /// Line of each row in the file, from 1.
    private var lines: [Int] = []
    private let columns: [String: Int]

    /// Reads a file; `nil` if there is none.
    ///
    /// - Parameter names: names of the columns; `nil` if the first line has them.
    init?(path: String, names: [String]? = nil) {
        guard let text = TextFile.read(path) else { return nil }
        self.init(text, path: path, names: names)
    }

    /// Splits a text into rows. Blank lines are no rows.
    ///
    /// - Parameter names: names of the columns, which commas separate; `nil` if the first line has them.
    init(_ text: String, path: String, names: [String]? = nil) {
        self.path = path
        var left = CSVLines.all(text)[...]
        var separator = UInt8(ascii: ",")
        var header = names ?? []
        if names == nil, let first = left.popFirst() {
            separator = CSVLines.separator(ofHeader: first.text)
            if let cells = CSVLines.cells(first.text, separator: separator) {
                header = cells.map(Self.trimmed)
            } else {
                openQuotes.append(first.number)
            }
        }
        width = header.count
        columns = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
        rows.reserveCapacity(left.count)
        lines.reserveCapacity(left.count)
        for line in left {
            guard let cells = CSVLines.cells(line.text, separator: separator) else {
                openQuotes.append(line.number)
                continue
            }
            rows.append(cells)
            lines.append(line.number)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        func isSpace(_ character: Character) -> Bool { character.isWhitespace || character == "\u{feff}" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(text)
    }

    func has(_ column: String) -> Bool { columns[column] != nil }

    /// Returns the line of a row in the file, from 1.
    func line(_ row: Int) -> Int { lines[row] }

    /// Returns whether a row has text beyond the last column.
    func isTooLong(_ row: Int) -> Bool { rows[row].dropFirst(width).contains { !Self.trimmed($0).isEmpty } }

    func text(_ row: Int, _ column: String) -> String? {
        guard let index = columns[column], rows[row].indices.contains(index) else { return nil }
        let text = Self.trimmed(rows[row][index])
        return text.isEmpty ? nil : text
    }

    func number(_ row: Int, _ column: String) -> Double? {
        text(row, column).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}
