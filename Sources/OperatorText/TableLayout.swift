/// Widths and places of a table's columns for one width of the terminal.
///
/// Columns become narrower first, down to their longest word. Columns for which there is still no room then move below
/// the row, with their titles: the last one first. The first column stays.
package struct TableLayout: Sendable {
    package struct Column: Sendable {
        package var title: String
        package var alignment: TextTable.Alignment
        /// Width that shows every cell in one line, in terminal cells.
        package var width: Int
        /// Width that breaks no word.
        package var leastWidth: Int

        package init(_ title: String, _ alignment: TextTable.Alignment = .left, width: Int, leastWidth: Int? = nil) {
            self.title = title
            self.alignment = alignment
            self.width = width
            self.leastWidth = leastWidth ?? width
        }
    }

    private var columns: [Column]
    /// Columns before this one are in the row, the others below it.
    private var inRow: Int
    /// Cells of a line; `nil` for lines of any length.
    private let width: Int?

    private static let gap = "  "
    /// Indentation of what is below a row.
    private static let indentation = "    "
    /// Least width at which a line can be laid out.
    private static let leastWidth = 10

    /// - Parameter width: number of cells of a line; `nil` if lines can have any length.
    package init(_ columns: [Column], width: Int?) {
        self.columns = columns
        self.width = width.map { max($0, Self.leastWidth) }
        inRow = columns.count
        guard let width = self.width else { return }
        while inRow > 1, total(\.leastWidth) > width { inRow -= 1 }
        // The widest column shrinks first.
        while total(\.width) > width {
            let candidates = self.columns[..<inRow].indices.filter {
                self.columns[$0].width > self.columns[$0].leastWidth
            }
            guard let widest = candidates.max(by: { self.columns[$0].width < self.columns[$1].width }) else { break }
            self.columns[widest].width -= 1
        }
        // A single word that is longer than the line is broken.
        if inRow == 1, let first = self.columns.first { self.columns[0].width = min(first.width, width) }
    }

    private func total(_ width: (Column) -> Int) -> Int {
        columns[..<inRow].reduce(0) { $0 + width($1) } + max(0, inRow - 1) * Self.gap.count
    }

    /// The titles of the columns in the row.
    package var titles: [String] { inColumns(columns.map(\.title)) }

    /// Returns the lines of a row. They contain the whole of every cell.
    package func row(_ cells: [String]) -> [String] {
        var lines = inColumns(cells)
        guard let width else { return lines }
        var below = ""
        for (column, cell) in zip(columns, cells).dropFirst(inRow) where !cell.isEmpty {
            let item = column.title.isEmpty ? cell : "\(column.title): \(cell)"
            let room = width - Self.indentation.count
            if !below.isEmpty, below.displayWidth + Self.gap.count + item.displayWidth <= room {
                below += Self.gap + item
                continue
            }
            if !below.isEmpty { lines.append(Self.indentation + below) }
            let parts = item.wrapped(to: room)
            lines += parts.dropLast().map { Self.indentation + $0 }
            below = parts.last ?? ""
        }
        return below.isEmpty ? lines : lines + [Self.indentation + below]
    }

    private func inColumns(_ cells: [String]) -> [String] {
        let parts = zip(columns, cells).prefix(inRow).map { column, cell in
            width == nil ? [cell] : cell.wrapped(to: column.width)
        }
        let height = parts.map(\.count).max() ?? 0
        return (0..<height).map { index in
            let line = zip(columns, parts).map { column, lines in
                let text = index < lines.count ? lines[index] : ""
                let padding = String(repeating: " ", count: max(0, column.width - text.displayWidth))
                return column.alignment == .left ? text + padding : padding + text
            }
            return String(line.joined(separator: Self.gap).reversed().drop { $0 == " " }.reversed())
        }
    }
}
