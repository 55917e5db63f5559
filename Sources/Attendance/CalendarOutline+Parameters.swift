extension CalendarOutline {
    /// Of one property; calendars have a handful. libical takes time by the square of them, and others wait for it.
    static let mostParameters = 100

    /// How many parameters a property has.
    ///
    /// As libical finds them (`parser_get_next_char`): what is within quotation marks or follows a backslash ends nothing, nor
    /// does the first byte of a parameter.
    ///
    /// - Parameter line: unfolded.
    package static func parameters(of line: some Sequence<UInt8>) -> Int {
        var count = 0
        var previous: UInt8?
        var isQuoted = false
        for byte in line {
            guard let last = previous, last != UInt8(ascii: "\\") else {
                previous = byte
                continue
            }
            previous = byte
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return count
            case UInt8(ascii: ";") where !isQuoted:
                count += 1
                previous = nil
            default: break
            }
        }
        return count
    }
}
