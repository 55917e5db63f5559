/// Splits the host's bytes into lines that end with `\r\n` or `\0\r\n`.
package struct CommandLineInput: Sendable {
    /// Maximum length of a line without its end, in bytes. The real limit is unknown; 1024 is the reference's
    /// assumption.
    package static let limit = 1024

    package enum Line: Equatable, Sendable {
        case text([UInt8])
        case tooLong
    }

    private var bytes: [UInt8] = []
    private var isTooLong = false
    private var endsWithReturn = false

    /// Appends a byte.
    ///
    /// - Returns: the line that `byte` completes.
    package mutating func append(_ byte: UInt8) -> Line? {
        if endsWithReturn, byte == 0x0A { return finish() }
        if endsWithReturn { store(0x0D) }
        endsWithReturn = byte == 0x0D
        if !endsWithReturn { store(byte) }
        return nil
    }

    private mutating func store(_ byte: UInt8) {
        // One more byte than the limit, for the NUL that is part of the line end.
        if bytes.count <= Self.limit { bytes.append(byte) } else { isTooLong = true }
    }

    private mutating func finish() -> Line {
        defer { self = CommandLineInput() }
        if bytes.last == 0, !isTooLong { bytes.removeLast() }
        return isTooLong || bytes.count > Self.limit ? .tooLong : .text(bytes)
    }
}
