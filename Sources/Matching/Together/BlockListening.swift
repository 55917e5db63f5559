/// For how long a receiver listened in each minute of a block, as it is stored.
package struct BlockListening: Equatable, Sendable {
    /// One for each minute: seconds in the lower 7 bits; the highest bit says that the clock wasn't synchronized. The last is
    /// of no minute.
    private var bytes = SIMD16<UInt8>.zero

    package init() {}

    /// Takes in what a record says. Of several that say something of one minute the one counts that listened for longer.
    ///
    /// - Parameters:
    ///   - seconds: 0 to 60.
    ///   - minute: 0 to 14; others are passed over.
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

    /// Whether it listened for long enough that its silence says something.
    package func listened(inMinute minute: Int) -> Bool {
        seconds(inMinute: minute) >= ListeningFloors.leastListened
    }

    /// Whether it was deaf in some minute, or its clock wasn't synchronized.
    package var isImpaired: Bool {
        (0..<ReadingBlock.minutes).contains { !listened(inMinute: $0) || !isSynchronized(inMinute: $0) }
    }

    package var packed: [UInt8] { (0..<ReadingBlock.minutes).map { bytes[$0] } }

    /// - Returns: `nil` for what isn't such a row.
    package init?(packed bytes: [UInt8]) {
        guard bytes.count == ReadingBlock.minutes, bytes.allSatisfy({ $0 & 0x7F <= 60 }) else { return nil }
        for (minute, byte) in bytes.enumerated() { self.bytes[minute] = byte }
    }
}
