/// Comma-separated values (RFC 4180), a row in a line.
enum CSV {
    /// More columns than that are not one of these files.
    static let mostFields = 512

    /// The fields of a line; `nil` when a quotation doesn't end or there are too many.
    static func fields(_ line: String) -> [Substring]? {
        let bytes = line.utf8
        guard bytes.contains(UInt8(ascii: "\"")) else {
            let fields = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            return fields.count <= mostFields ? fields.map { Substring($0) } : nil
        }
        var fields: [Substring] = []
        var field: [UInt8] = []
        var isQuoted = false
        var afterQuote = false
        for byte in bytes {
            switch (byte, isQuoted) {
            case (UInt8(ascii: "\""), true):
                isQuoted = false
                afterQuote = true
                continue
            case (UInt8(ascii: "\""), false):
                // A doubled quotation mark stands for one.
                if afterQuote { field.append(byte) }
                isQuoted = true
            case (UInt8(ascii: ","), false):
                fields.append(Substring(decoding: field, as: UTF8.self))
                field = []
            default: field.append(byte)
            }
            afterQuote = false
        }
        fields.append(Substring(decoding: field, as: UTF8.self))
        return isQuoted || fields.count > mostFields ? nil : fields
    }

    /// A finite number; blanks around it are no part of it.
    static func number(_ field: Substring) -> Double? {
        let bytes = field.utf8
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return Double(field[first...last]).flatMap { $0.isFinite ? $0 : nil }
    }
}
