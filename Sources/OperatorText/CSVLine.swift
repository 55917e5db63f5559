/// A line of comma-separated values for spreadsheets (RFC 4180), without its end.
public enum CSVLine {
    /// Text of outside that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets hide.
    public static func text(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

    private static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard
            safe.unicodeScalars.contains(where: { "\",;\r\n".unicodeScalars.contains($0) }) || safe != safe.trimmedEnds
        else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}

extension String {
    fileprivate var trimmedEnds: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
