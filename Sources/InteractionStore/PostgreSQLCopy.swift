import BeaconModel

/// Rows in the format of `COPY ... (FORMAT BINARY)` (PostgreSQL 15, COPY, "Binary Format").
enum PostgreSQLCopy {
    private static let signature: [UInt8] = [
        0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// Size of a part in bytes. The server reads a part while the next is prepared.
    private static let part = 32_768

    /// Encodes rows in parts.
    ///
    /// - Parameters:
    ///   - values: values of all rows, one row after the other.
    ///   - widths: bytes of each column: 2, 4 or 8.
    ///   - send: receives the bytes, part by part; returning `false` ends the copy.
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
                bytes.append(bigEndian: UInt64(count), width: 2)
            }
            let width = widths[column]
            column = column + 1 == count ? 0 : column + 1
            guard let value else {
                // -1 stands for NULL.
                bytes.append(bigEndian: .max, width: 4)
                continue
            }
            guard fits(value, width) else {
                throw StoreError("a number is too large for its column: \(value)", exitStatus: .data)
            }
            bytes.append(bigEndian: UInt64(width), width: 4)
            bytes.append(bigEndian: UInt64(bitPattern: value), width: width)
        }
        // End of the rows.
        bytes.append(bigEndian: .max, width: 2)
        _ = send(bytes)
    }

    private static func fits(_ value: Int64, _ width: Int) -> Bool {
        switch width {
        case 2: Int16(exactly: value) != nil
        case 4: Int32(exactly: value) != nil
        default: true
        }
    }
}
