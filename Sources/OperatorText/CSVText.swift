/// Comma-separated values as spreadsheets write them, split into cells (RFC 4180).
///
/// The separator is a comma or a semicolon, whichever occurs more often in the first line. A line ends with CR LF, LF
/// or CR.
package struct CSVText {
    package struct Record: Equatable {
        /// Number of the line on which the record begins; the first is 1.
        package var line: Int
        package var cells: [String]

        package var isEmpty: Bool { cells.allSatisfy { $0.isEmpty } }
    }

    /// A defect of the format that can move cells to the wrong column.
    package struct Defect: Equatable {
        package var line: Int
        package var found: String
        package var allowed: String
    }

    package private(set) var separator = UInt8(ascii: ",")
    /// All records, including empty ones, with white space around the cells removed.
    package private(set) var records: [Record] = []
    package private(set) var defects: [Defect] = []
    /// Whether a cell contains a line break: then a row of the spreadsheet is not a line of the file.
    package private(set) var hasLineBreaks = false

    private var line = 1
    private var record = Record(line: 1, cells: [])
    private var cell: [UInt8] = []
    private var state = State.start

    private enum State {
        /// At the beginning of a cell.
        case start
        case plain
        case quoted
        /// After a quote in a quoted cell: the end of the cell, or the first of two quotes.
        case closed
        /// After the end of a quoted cell and a space.
        case after
    }

    package init(_ text: String) {
        let bytes = Array(text.utf8)
        separator = Self.separator(of: bytes)
        var previous: UInt8 = 0
        for byte in bytes {
            // This is the second half of a CR LF. The first half has ended the line.
            if !(byte == Self.lineFeed && previous == Self.carriageReturn) {
                take(byte)
            } else if state == .quoted {
                cell.append(byte)
            }
            previous = byte
        }
        if state == .quoted {
            note("a quoted cell is not closed", "its last character must be a quote")
        }
        if state != .start || !record.cells.isEmpty { endRecord() }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")

    private static func separator(of bytes: [UInt8]) -> UInt8 {
        let header = bytes.prefix { $0 != lineFeed && $0 != carriageReturn }
        let semicolons = header.count { $0 == UInt8(ascii: ";") }
        let commas = header.count { $0 == UInt8(ascii: ",") }
        return semicolons > commas ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    private mutating func take(_ byte: UInt8) {
        let endsLine = byte == Self.lineFeed || byte == Self.carriageReturn
        if endsLine { line += 1 }
        switch state {
        case .quoted:
            if byte == Self.quote {
                state = .closed
            } else {
                cell.append(byte)
                if endsLine { hasLineBreaks = true }
            }
        case .closed where byte == Self.quote:
            cell.append(byte)
            state = .quoted
        case .start where byte == Self.quote:
            state = .quoted
        default:
            if endsLine {
                endRecord()
            } else if byte == separator {
                endCell()
            } else {
                takePlain(byte)
            }
        }
    }

    private mutating func takePlain(_ byte: UInt8) {
        if state == .closed || state == .after {
            state = .after
            guard byte != UInt8(ascii: " ") else { return }
            note("text follows a quoted cell", "a quote inside a quoted cell must be doubled")
        }
        if byte == Self.quote, state != .after {
            note(
                "an unquoted cell contains a quote", "the cell must be quoted, and the quote doubled")
        }
        cell.append(byte)
        if state == .start { state = .plain }
    }

    private mutating func endCell() {
        record.cells.append(String(decoding: cell, as: UTF8.self).trimmed)
        cell.removeAll(keepingCapacity: true)
        state = .start
    }

    private mutating func endRecord() {
        endCell()
        records.append(record)
        record = Record(line: line, cells: [])
    }

    /// Notes a defect. Only the first defect of a record is kept, because the others follow from it.
    private mutating func note(_ found: String, _ allowed: String) {
        guard defects.last?.line != record.line else { return }
        defects.append(Defect(line: record.line, found: found, allowed: allowed))
    }
}

extension String {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
