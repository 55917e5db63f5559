import OperatorText

/// An array as PostgreSQL reads it (PostgreSQL 15, section 8.15.2): `{1,NULL,"text"}`.
struct PostgreSQLArray {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

    mutating func append(_ value: Int64?) {
        separate()
        guard let value else {
            bytes += "NULL".utf8
            return
        }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0"))
            rest /= 10
        } while rest > 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes[start...].reverse()
    }

    mutating func append(_ value: SQLValue) {
        switch value {
        case .integer(let value): append(value)
        // A backslash in an array is written twice.
        case .blob(let value):
            separate()
            bytes += "\"\\\\x".utf8
            HexadecimalText.append(value, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        case .text(nil): append(nil as Int64?)
        case .text(let text?):
            separate()
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private mutating func separate() {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    }
}
