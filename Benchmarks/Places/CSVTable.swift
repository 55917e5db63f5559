import OperatorText

/// A CSV file with a header line.
struct CSVTable {
    let path: String
    private(set) var rows: [[Substring]] = []
    private var columns: [String: Int] = [:]

    /// Reads a file; `nil` if there is none.
    ///
    /// - Parameter names: names of the columns; `nil` if the first line has them.
    init?(path: String, names: [String]? = nil) {
        guard let text = TextFile.read(path) else { return nil }
        self.init(text, path: path, names: names)
    }

    init(_ text: String, path: String, names: [String]? = nil) {
        self.path = path
        var lines = text.split(whereSeparator: \.isNewline)[...]
        let header = names ?? lines.popFirst().map { Self.cells($0).map(Self.trimmed) } ?? []
        columns = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
        rows = lines.map(Self.cells)
    }

    private static func cells(_ line: Substring) -> [Substring] {
        line.split(separator: ",", omittingEmptySubsequences: false)
    }

    private static func trimmed(_ text: Substring) -> String {
        func isSpace(_ character: Character) -> Bool {
            character.isWhitespace || character == "\u{feff}" || character == "\""
        }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(text)
    }

    func has(_ column: String) -> Bool { columns[column] != nil }

    func text(_ row: Int, _ column: String) -> String? {
        guard let index = columns[column], rows[row].indices.contains(index) else { return nil }
        let text = Self.trimmed(rows[row][index])
        return text.isEmpty ? nil : text
    }

    func number(_ row: Int, _ column: String) -> Double? {
        text(row, column).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}
