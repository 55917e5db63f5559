/// Rows of text in columns, the first to the left and the others to the right.
struct Table {
    private var rows: [[String]]

    init(_ header: [String]) { rows = [header] }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += column == 0 ? cell + padding : "  " + padding + cell
            }
            return line
        }.joined(separator: "\n")
    }
}

/// Numbers as they are printed.
enum Format {
    /// `-` for `nil` and for what isn't a number.
    static func number(_ value: Double?, _ decimals: Int = 2) -> String {
        guard let value, value.isFinite, abs(value) < 1e12 else { return "-" }
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        guard let scaled = Int(exactly: (abs(value) * scale).rounded()), let whole = Int(exactly: scale) else {
            return "-"
        }
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % whole)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(sign)\(scaled / whole).\(zeros)\(fraction)"
    }

    /// With a sign.
    static func difference(_ value: Double?, _ decimals: Int = 2) -> String {
        let text = number(value, decimals)
        return text == "-" || text.hasPrefix("-") ? text : "+" + text
    }

    static func percent(_ value: Double?) -> String {
        let text = number(value.map { $0 * 100 }, 1)
        return text == "-" ? text : text + " %"
    }

    /// Metres as a part of a figure's name: `2m`, `1_5m`.
    static func radius(_ metres: Double) -> String {
        metres == metres.rounded()
            ? "\(number(metres, 0))m" : "\(number(metres * 10, 0).dropLast())_\(number(metres * 10, 0).suffix(1))m"
    }
}
