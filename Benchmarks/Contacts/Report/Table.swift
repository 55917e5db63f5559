/// Rows of text in columns, the first ones to the left and the others to the right.
struct Table {
    private var rows: [[String]]
    private let textColumns: Int

    init(_ header: [String], textColumns: Int = 0) {
        rows = [header]
        self.textColumns = textColumns
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column < textColumns ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// `-` for `nil`.
    static func number(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.isFinite, abs(value) < 1e12 else { return "-" }
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    static func percent(_ value: Double?) -> String {
        value == nil ? "-" : number(value.map { $0 * 100 }, 1) + " %"
    }
}
