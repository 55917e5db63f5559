/// A table with aligned columns.
package struct TextTable {
    package enum Alignment: Sendable {
        case left, right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    /// - Parameter columns: the columns, the most important first: the last ones move below the rows of a narrow table.
    package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    /// Adds a row. Terminal control characters in a cell are shown as question marks, wherever the cell comes from.
    package mutating func add(_ row: [String]) { rows.append(row.map { $0.shown(upTo: .max) }) }

    /// The title line and one line for each row, of any length.
    package var lines: [String] { lines(width: nil) }

    /// Returns the title and the rows in lines of at most `width` terminal cells; `nil` for one line each.
    package func lines(width: Int?) -> [String] { blocks(width: width).flatMap { $0 } }

    /// Returns the lines of the title, and those of each row.
    package func blocks(width: Int?) -> [[String]] {
        let layout = TableLayout(
            columns.indices.map { index in
                let (title, alignment) = columns[index]
                let cells = [title] + rows.map { $0[index] }
                let natural = cells.map(\.displayWidth).max() ?? 0
                guard width != nil, alignment == .left else { return .init(title, alignment, width: natural) }
                let words = cells.lazy.flatMap { $0.split(separator: " ") }.map(\.displayWidth)
                return .init(
                    title, alignment, width: natural,
                    leastWidth: max(words.max() ?? 0, min(natural, Self.leastTextWidth)))
            }, width: width)
        return [layout.titles] + rows.map(layout.row)
    }

    /// Width below which no column of words shrinks, so that its rows do not become tall.
    private static let leastTextWidth = 16
}
