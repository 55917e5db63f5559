/// Writer for the compact rows of readings.
package struct PackedWriter {
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer.
    ///
    /// - Parameter capacity: bytes to reserve.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends two bytes, least significant first.
    package mutating func append(word: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: word))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
    }

    /// Appends a number in as few bytes as it needs, 7 bits each (LEB128).
    package mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reader for the compact rows of readings. It returns `nil` for malformed data: other writers of the database must not
/// be able to stop its readers.
package struct PackedReader {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func word() -> UInt16? {
        guard bytes.count - position >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    /// Reads a number.
    ///
    /// - Returns: `nil` at the end, and for a number of more than 63 bits.
    package mutating func number() -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = byte() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value >> 63 == 0 ? value : nil }
            shift += 7
            if shift > 56 { return nil }
        }
        return nil
    }
}
