/// Columns for rows that arrive one by one, with widths chosen in advance.
struct FixedColumns: Sendable {
    private let columns: [(title: String, width: Int)]

    init(_ columns: [(title: String, width: Int)]) { self.columns = columns }

    var titles: String { line(columns.map(\.title)) }

    /// Formats a row. A cell that is too long shifts the following ones.
    func line(_ cells: [String]) -> String {
        zip(cells, columns.map(\.width)).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            .joined(separator: "  ")
    }
}
