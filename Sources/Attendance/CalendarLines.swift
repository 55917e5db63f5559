/// Lines of an iCalendar file, with folded lines joined (RFC 5545, section 3.1).
///
/// A line ends with LF; a preceding CR is dropped. A line that begins with a space or a tab continues the previous one.
struct CalendarLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    /// Number of lines of the file read so far.
    private var taken = 0

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next line.
    ///
    /// - Returns: the line number in the file, starting at 1, and the bytes without line ends.
    mutating func next() -> (number: Int, bytes: [UInt8])? {
        guard !rest.isEmpty else { return nil }
        var bytes = Array(takePiece())
        let number = taken
        while let first = rest.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            bytes += takePiece().dropFirst()
        }
        return (number, bytes)
    }

    private mutating func takePiece() -> ArraySlice<UInt8> {
        taken += 1
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        let piece = rest[..<end]
        rest = rest[end...].dropFirst()
        return piece.last == UInt8(ascii: "\r") ? piece.dropLast() : piece
    }
}
