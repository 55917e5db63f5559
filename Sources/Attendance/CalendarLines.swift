/// The lines of an iCalendar file, those that were folded in one piece again (RFC 5545, section 3.1).
///
/// A line ends with LF, before which a CR doesn't count; one that begins with a space or a tab goes on with the one
/// before.
struct CalendarLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    /// Lines of the file that were taken.
    private var taken = 0

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// - Returns: where it begins in the file, the first line being 1; and its bytes without line ends.
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
