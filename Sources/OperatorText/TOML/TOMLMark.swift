/// The place of a header or of a key with its value in a document, in scalars from the beginning.
struct TOMLMark {
    enum Content {
        case header(isElement: Bool)
        /// - Parameter names: the dotted key below the header.
        case value(names: [String], Range<Int>)
    }

    /// Names in the header above; those of an array of tables end with `element`.
    var table: [String]
    var content: Content
    /// From the beginning of the first line to that of the line after the last.
    var lines: Range<Int>

    /// Last name of the elements of an array of tables. No key of a document has a zero in its name.
    static let element = "\u{0}"

    var isHeader: Bool {
        if case .header = content { return true }
        return false
    }

    /// Returns the place of the value of a key.
    func value(of path: [String]) -> Range<Int>? {
        guard case .value(let names, let range) = content, table + names == path else { return nil }
        return range
    }
}
