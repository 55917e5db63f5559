/// Lines of a CSV file, as RFC 4180 has them, except that no cell goes on in the next line.
enum CSVLines {
    private static let quote = UInt8(ascii: "\"")
    private static let space = UInt8(ascii: " ")

    /// Returns the lines of a text that are not blank, with their numbers from 1.
    ///
    /// Lines end with LF or CR LF; with CR in a text without LF.
    static func all(_ text: String) -> [(number: Int, text: Substring)] {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let content: Substring.UTF8View = text[...].utf8
        let bytes: Substring.UTF8View = content.starts(with: mark) ? content.dropFirst(mark.count) : content
        let end = bytes.contains(UInt8(ascii: "\n")) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
        var lines: [(number: Int, text: Substring)] = []
        var number = 0
        for line in bytes.split(separator: end, omittingEmptySubsequences: false) {
            number += 1
            // Carriage returns, tabs and other control characters are blank too.
            if !line.allSatisfy({ $0 <= space }) { lines.append((number, Substring(line))) }
        }
        return lines
    }

    /// Returns what separates the cells of a header: commas, or else semicolons or tabs.
    static func separator(ofHeader line: Substring) -> UInt8 {
        let comma = UInt8(ascii: ",")
        return [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].first { line.utf8.contains($0) } ?? comma
    }

    /// Returns the cells of a line without their quotes; `nil` if a quote is not closed.
    static func cells(_ line: Substring, separator: UInt8) -> [Substring]? {
        if line.utf8.contains(quote) { return quotedCells(line, separator) }
        return line.utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
    }

    private static func quotedCells(_ line: Substring, _ separator: UInt8) -> [Substring]? {
        var cells: [Substring] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var rest = Array(line.utf8)[...]
        while let byte = rest.popFirst() {
            if isQuoted {
                if byte != quote {
                    cell.append(byte)
                } else if rest.first == quote {
                    // Two quotes are one of the cell's.
                    rest.removeFirst()
                    cell.append(quote)
                } else {
                    isQuoted = false
                }
            } else if byte == separator {
                cells.append(Substring(String(decoding: cell, as: UTF8.self)))
                cell = []
            } else if byte == quote, cell.allSatisfy({ $0 <= space }) {
                cell = []
                isQuoted = true
            } else {
                cell.append(byte)
            }
        }
        guard !isQuoted else { return nil }
        cells.append(Substring(String(decoding: cell, as: UTF8.self)))
        return cells
    }
}
