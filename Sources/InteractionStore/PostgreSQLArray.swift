/// An array in PostgreSQL's binary format, which costs both sides half as much as text (PostgreSQL 15, `array_recv` in
/// src/backend/utils/adt/arrayfuncs.c).
///
///     number of dimensions, whether there are nulls, type, count, first index: 4 bytes each
///     length (4 bytes), bytes: for each element
struct PostgreSQLArray {
    /// Element types, with the server's object identifiers (pg_type.dat).
    private enum Kind: UInt64 {
        case bytea = 17
        case bigint = 20
        case text = 25
    }

    private let kind: Kind
    private var count: UInt64 = 0
    private var hasNulls = false
    private var elements: [UInt8] = []

    /// Creates an empty array.
    ///
    /// - Parameter first: a value of the type of all elements.
    init(like first: SQLValue) {
        kind =
            switch first {
            case .integer: .bigint
            case .text: .text
            case .blob: .bytea
            }
    }

    /// The SQL name of the element type.
    var type: String { "\(kind)" }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.count)
        for number in [count > 0 ? 1 : 0, hasNulls ? 1 : 0, kind.rawValue] { bytes.append(bigEndian: number, width: 4) }
        guard count > 0 else { return bytes }
        for number in [count, 1] { bytes.append(bigEndian: number, width: 4) }
        return bytes + elements
    }

    /// Appends an element.
    ///
    /// - Throws: `StoreError` for a text that contains a NUL, which the server cannot represent.
    mutating func append(_ value: SQLValue) throws(StoreError) {
        count += 1
        switch value {
        case .integer(nil), .text(nil):
            hasNulls = true
            // -1 stands for NULL.
            elements.append(bigEndian: .max, width: 4)
        case .integer(let number?):
            elements.append(bigEndian: 8, width: 4)
            elements.append(bigEndian: UInt64(bitPattern: number), width: 8)
        case .blob(let bytes):
            elements.append(bigEndian: UInt64(bytes.count), width: 4)
            elements += bytes
        case .text(let text?):
            guard !text.utf8.contains(0) else { throw StoreError.nul }
            elements.append(bigEndian: UInt64(text.utf8.count), width: 4)
            elements += text.utf8
        }
    }
}

extension [UInt8] {
    /// Appends the last `width` bytes of a number, most significant first.
    mutating func append(bigEndian value: UInt64, width: Int) {
        var shift = 8 * width
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
