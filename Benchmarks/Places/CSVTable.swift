import Glibc
import OperatorText

/// A CSV file with a header line.
struct CSVTable {
    private(set) var rows: [[Substring]] = []
    private var columns: [String: Int] = [:]

    /// Reads a file; `nil` if there is none.
    ///
    /// - Parameter names: names of the columns; `nil` if the first line has them.
    init?(path: String, names: [String]? = nil) {
        guard let text = TextFile.read(path) else { return nil }
        self.init(text, names: names)
    }

    init(_ text: String, names: [String]? = nil) {
        var lines = text.split(whereSeparator: \.isNewline)[...]
        let header =
            names ?? lines.popFirst().map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            } ?? []
        columns = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
        rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\u{feff}" }.reversed().drop { $0 == " " }.reversed())
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
