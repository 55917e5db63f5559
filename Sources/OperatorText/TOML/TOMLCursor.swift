/// A place in a document that moves forward only and counts lines and columns.
struct TOMLCursor {
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var line = 1
    /// Offset of a scalar in the current line whose column is known.
    private var countedOffset = 0
    /// Column of the scalar at `countedOffset`.
    private var countedColumn = 1

    /// Starts at the beginning of a text, after the byte order mark that editors on Windows write.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" {
            offset = 1
            countedOffset = 1
        }
    }

    var current: Unicode.Scalar? { scalar(after: 0) }

    /// Number of scalars before the current one.
    var place: Int { offset }

    func scalar(after distance: Int) -> Unicode.Scalar? {
        offset + distance < scalars.count ? scalars[offset + distance] : nil
    }

    /// The position of the current scalar. Each scalar is counted once, so that long lines take linear time.
    var position: TextPosition {
        mutating get {
            let passed = scalars[countedOffset..<offset]
            countedOffset = offset
            if passed.allSatisfy(\.isASCII) {
                countedColumn += passed.count
            } else {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: passed)
                countedColumn += String(text).count
            }
            return TextPosition(line: line, column: countedColumn)
        }
    }

    /// Whether a line break is next: LF or CR LF.
    var isAtLineBreak: Bool { current == "\n" || (current == "\r" && scalar(after: 1) == "\n") }

    /// Moves over scalars of the same line.
    mutating func advance(_ count: Int = 1) { offset = min(offset + count, scalars.count) }

    /// Moves over a line break. Returns `false` if none is next.
    mutating func takeLineBreak() -> Bool {
        guard isAtLineBreak else { return false }
        advance(current == "\r" ? 2 : 1)
        line += 1
        countedOffset = offset
        countedColumn = 1
        return true
    }

    mutating func skipBlanks() {
        while current == " " || current == "\t" { advance() }
    }

    /// Moves over the scalars of the same line that are allowed, and returns them.
    mutating func take(while isAllowed: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = current, isAllowed(scalar) {
            text.append(scalar)
            advance()
        }
        return String(text)
    }

    /// The current scalar, or the end that is reached, for messages.
    var found: String {
        guard let current else { return "the end of the file" }
        if isAtLineBreak { return "the end of the line" }
        return current.isTOMLControl ? current.controlName : String(current).excerpt
    }
}
