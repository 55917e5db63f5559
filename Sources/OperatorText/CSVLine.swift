/// A line of comma-separated values for spreadsheets (RFC 4180), without its end.
package enum CSVLine {
    /// Returns the line. A cell that a spreadsheet would take for a formula gets a leading apostrophe, which makes it
    /// text; spreadsheets that open the line show the apostrophe.
    package static func text(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

    private static func cell(_ text: String) -> String {
        let safe = isFormula(text) ? "'" + text : text
        guard
            safe.unicodeScalars.contains(where: { "\",;\r\n".unicodeScalars.contains($0) }) || safe != safe.trimmedEnds
        else { return safe }
        return quoted(safe)
    }

    /// Returns a cell in quotes.
    ///
    /// Quotes are doubled by scalars: a quote with a combining mark is another character, but readers of CSV see the
    /// quote.
    package static func quoted(_ text: String) -> String {
        var cell = "\""
        for scalar in text.unicodeScalars {
            cell.unicodeScalars.append(scalar)
            if scalar == "\"" { cell.unicodeScalars.append(scalar) }
        }
        return cell + "\""
    }
}

extension CSVLine {
    /// Whether a spreadsheet may evaluate a cell. It may skip invisible characters before the sign, and in East Asian
    /// languages it accepts full-width signs in place of the others.
    package static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        if "\t\r\n".unicodeScalars.contains(first) { return true }
        let sign = text.unicodeScalars.first { scalar in
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format: false
            default: true
            }
        }
        return sign.map { "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars.contains($0) } ?? false
    }
}

extension String {
    fileprivate var trimmedEnds: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
