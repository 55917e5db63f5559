extension CalendarOutline {
    /// Maximum number of parameters of a property; calendars have a handful. libical's running time is quadratic in
    /// them, and other users of the library wait for it.
    static let mostParameters = 100

    /// Returns the number of parameters of a property.
    ///
    /// They are counted as libical finds them (`parser_get_next_char`): characters within quotation marks or after a
    /// backslash do not end a parameter, nor does its first byte.
    ///
    /// - Parameter line: an unfolded line.
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
