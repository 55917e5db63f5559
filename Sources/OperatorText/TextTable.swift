/// A table with aligned columns. Widths count characters, each of which is taken to be one cell wide.
package struct TextTable {
    package enum Alignment {
        case left, right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    /// Adds a row. Terminal control characters in a cell are shown as question marks, wherever the cell comes from.
    package mutating func add(_ row: [String]) { rows.append(row.map { $0.shown(upTo: .max) }) }

    /// The title line and one line for each row.
    package var lines: [String] {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = columns.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return columns[column].alignment == .left ? row[column] + padding : padding + row[column]
            }
            return trimmed(cells.joined(separator: "  "))
        }
    }

    private func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}

/// Numbers formatted for people.
package enum Format {
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, abs(value) < 1e12 else { return "?" }
        let scaled = Int64((abs(value) * scale).rounded())
        let whole = scaled / Int64(scale)
        let sign = value < 0 && scaled != 0 ? "-" : ""
        if digits == 0 { return sign + String(whole) }
        let rest = String(scaled % Int64(scale))
        return sign + "\(whole)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
