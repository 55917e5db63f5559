/// Listening time of a receiver in each minute of a block, in stored form.
package struct BlockListening: Equatable, Sendable {
    /// One byte for each minute: seconds in the lower 7 bits; the highest bit means that the clock was not
    /// synchronized. The last byte belongs to no minute.
    private var bytes = SIMD16<UInt8>.zero

    package init() {}

    /// Adds the listening time from a record. Of several values for one minute the longest counts.
    ///
    /// - Parameters:
    ///   - seconds: 0 to 60.
    ///   - minute: 0 to 14; other values are ignored.
    package mutating func add(seconds: Int64, clockIsSynchronized: Bool, inMinute minute: Int) {
        guard (0..<ReadingBlock.minutes).contains(minute) else { return }
        let new = UInt8(min(max(seconds, 0), 60)) | (clockIsSynchronized ? 0 : 0x80)
        let old = bytes[minute]
        if (new & 0x7F, new) > (old & 0x7F, old) { bytes[minute] = new }
    }

    package mutating func merge(_ other: BlockListening) {
        for minute in 0..<ReadingBlock.minutes {
            add(
                seconds: other.seconds(inMinute: minute), clockIsSynchronized: other.isSynchronized(inMinute: minute),
                inMinute: minute)
        }
    }

    package func seconds(inMinute minute: Int) -> Int64 { Int64(bytes[minute] & 0x7F) }
    package func isSynchronized(inMinute minute: Int) -> Bool { bytes[minute] & 0x80 == 0 }

    /// Whether the receiver listened for long enough that its silence is meaningful.
    package func listened(inMinute minute: Int) -> Bool {
        seconds(inMinute: minute) >= ListeningFloors.leastListened
    }

    /// Whether the receiver did not listen in some minute, or its clock was not synchronized.
    package var isImpaired: Bool {
        (0..<ReadingBlock.minutes).contains { !listened(inMinute: $0) || !isSynchronized(inMinute: $0) }
    }

    package var packed: [UInt8] { (0..<ReadingBlock.minutes).map { bytes[$0] } }

    /// Parses a stored row.
    ///
    /// - Returns: `nil` for malformed bytes.
    package init?(packed bytes: [UInt8]) {
        guard bytes.count == ReadingBlock.minutes, bytes.allSatisfy({ $0 & 0x7F <= 60 }) else { return nil }
        for (minute, byte) in bytes.enumerated() { self.bytes[minute] = byte }
    }
}
