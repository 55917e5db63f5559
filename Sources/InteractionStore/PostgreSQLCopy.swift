import BeaconModel

/// Rows as `COPY ... (FORMAT BINARY)` takes them (PostgreSQL 15, COPY, "Binary Format").
enum PostgreSQLCopy {
    private static let signature: [UInt8] = [
        0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// The server reads a part while the next is made. In bytes.
    private static let part = 32_768

    /// - Parameters:
    ///   - values: of all rows, one after the other.
    ///   - widths: bytes of each column: 2, 4 or 8.
    ///   - send: takes the bytes, part by part; `false` ends it.
    /// - Throws: `StoreError` when a value is larger than its column.
    static func parts(
        of values: [Int64?], widths: [Int], _ send: ([UInt8]) -> Bool
    ) throws(StoreError) {
        let count = widths.count
        let longest = widths.reduce(2 + 4 * count, +)
        var bytes = signature
        bytes.reserveCapacity(part + longest)
        var column = 0
        for value in values {
            if column == 0 {
                if bytes.count >= part {
                    guard send(bytes) else { return }
                    bytes.removeAll(keepingCapacity: true)
                }
                append(UInt64(count), 2, to: &bytes)
            }
            let width = widths[column]
            column = column + 1 == count ? 0 : column + 1
            guard let value else {
                // -1 stands for NULL.
                append(.max, 4, to: &bytes)
                continue
            }
            guard fits(value, width) else {
                throw StoreError("a number is too large for its column: \(value)", exitStatus: .data)
            }
            append(UInt64(width), 4, to: &bytes)
            append(UInt64(bitPattern: value), width, to: &bytes)
        }
        // No more rows.
        append(.max, 2, to: &bytes)
        _ = send(bytes)
    }

    private static func fits(_ value: Int64, _ width: Int) -> Bool {
        switch width {
        case 2: Int16(exactly: value) != nil
        case 4: Int32(exactly: value) != nil
        default: true
        }
    }

    /// The last `width` bytes, most significant first.
    private static func append(_ value: UInt64, _ width: Int, to bytes: inout [UInt8]) {
        var shift = 8 * width
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
