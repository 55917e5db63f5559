/// How alike two subjects looked in each minute of a block: 15 levels of 4 bits.
package struct BlockLevels: RandomAccessCollection, Hashable, Sendable {
    private var bits: UInt64 = 0

    package init() {}

    /// Whether the two looked alike in no minute.
    package var isEmpty: Bool { bits == 0 }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ReadingBlock.minutes }

    /// - Parameter minute: 0 to 14.
    package subscript(minute: Int) -> SimilarityLevel {
        get { SimilarityLevel(rawValue: UInt8(truncatingIfNeeded: bits >> UInt64(4 * minute)) & 15) }
        set {
            bits &= ~(15 << UInt64(4 * minute))
            bits |= UInt64(newValue.rawValue) << UInt64(4 * minute)
        }
    }

    /// The minutes, as bits, in which the two looked alike.
    package var minutes: UInt16 {
        // A bit for each level that isn't none; then the bits move together.
        var rest = (bits | bits >> 1 | bits >> 2 | bits >> 3) & 0x1111_1111_1111_1111
        rest = (rest | rest >> 3) & 0x0303_0303_0303_0303
        rest = (rest | rest >> 6) & 0x000F_000F_000F_000F
        rest = (rest | rest >> 12) & 0x0000_00FF_0000_00FF
        return UInt16(truncatingIfNeeded: rest | rest >> 24)
    }

    /// How many minutes are at least so alike.
    func count(from threshold: SimilarityLevel) -> Int {
        // Added to every second level at a time, what is missing to 16 carries over where the level reaches the threshold.
        let pairs: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
        let missing = UInt64(16 - Swift.max(1, threshold.rawValue)) * 0x0101_0101_0101_0101
        let carries: UInt64 = 0x1010_1010_1010_1010
        return (((bits & pairs) + missing) & carries).nonzeroBitCount
            + (((bits >> 4 & pairs) + missing) & carries).nonzeroBitCount
    }

    /// What is left when only some minutes count, which are bits.
    func only(_ minutes: UInt16) -> BlockLevels {
        var levels = self
        for minute in indices where minutes >> UInt16(minute) & 1 == 0 { levels[minute] = .none }
        return levels
    }

    /// The levels of the minutes that begin within two bounds; all other minutes have none.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: the same.
    package func within(_ block: ReadingBlock, since: Int64, until: Int64) -> BlockLevels {
        if block.start >= since, block.end <= until { return self }
        var levels = self
        for minute in indices where block.start(ofMinute: minute) < since || block.start(ofMinute: minute) >= until {
            levels[minute] = .none
        }
        return levels
    }

    /// The levels of both; no minute may be in both.
    func merging(_ other: BlockLevels) -> BlockLevels {
        var levels = self
        levels.bits |= other.bits
        return levels
    }

    /// The greater level of each minute.
    func maximum(_ other: BlockLevels) -> BlockLevels {
        var levels = self
        for minute in indices where other[minute] > self[minute] { levels[minute] = other[minute] }
        return levels
    }
}
