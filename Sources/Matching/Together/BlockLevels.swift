/// Similarity of two subjects in each minute of a block: 15 levels of 4 bits.
package struct BlockLevels: RandomAccessCollection, Hashable, Sendable {
    private var bits: UInt64 = 0

    package init() {}

    /// Whether the two were similar in no minute.
    package var isEmpty: Bool { bits == 0 }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ReadingBlock.minutes }

    /// Level of a minute.
    ///
    /// - Parameter minute: 0 to 14.
    package subscript(minute: Int) -> SimilarityLevel {
        get { SimilarityLevel(rawValue: UInt8(truncatingIfNeeded: bits >> UInt64(4 * minute)) & 15) }
        set {
            bits &= ~(15 << UInt64(4 * minute))
            bits |= UInt64(newValue.rawValue) << UInt64(4 * minute)
        }
    }

    /// Minutes in which the two were similar, as bits.
    package var minutes: UInt16 {
        // Set a bit for each level other than none; then move the bits together.
        var rest = (bits | bits >> 1 | bits >> 2 | bits >> 3) & 0x1111_1111_1111_1111
        rest = (rest | rest >> 3) & 0x0303_0303_0303_0303
        rest = (rest | rest >> 6) & 0x000F_000F_000F_000F
        rest = (rest | rest >> 12) & 0x0000_00FF_0000_00FF
        return UInt16(truncatingIfNeeded: rest | rest >> 24)
    }

    /// Returns the number of minutes with at least the given level.
    func count(from threshold: SimilarityLevel) -> Int {
        // Add the difference between the threshold and 16 to every second level at a time: levels that reach the
        // threshold carry over.
        let pairs: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
        let missing = UInt64(16 - Swift.max(1, threshold.rawValue)) * 0x0101_0101_0101_0101
        let carries: UInt64 = 0x1010_1010_1010_1010
        return (((bits & pairs) + missing) & carries).nonzeroBitCount
            + (((bits >> 4 & pairs) + missing) & carries).nonzeroBitCount
    }

    /// Returns the levels of the given minutes (bits) only.
    func only(_ minutes: UInt16) -> BlockLevels {
        var levels = self
        for minute in indices where minutes >> UInt16(minute) & 1 == 0 { levels[minute] = .none }
        return levels
    }

    /// Returns the levels of the minutes that begin within two bounds; all other minutes have none.
    ///
    /// - Parameters:
    ///   - since: inclusive lower bound, in seconds since 1970.
    ///   - until: exclusive upper bound, in seconds since 1970.
    package func within(_ block: ReadingBlock, since: Int64, until: Int64) -> BlockLevels {
        if block.start >= since, block.end <= until { return self }
        var levels = self
        for minute in indices where block.start(ofMinute: minute) < since || block.start(ofMinute: minute) >= until {
            levels[minute] = .none
        }
        return levels
    }

    /// Returns the levels of both; no minute may have a level in both.
    func merging(_ other: BlockLevels) -> BlockLevels {
        var levels = self
        levels.bits |= other.bits
        return levels
    }

    /// Returns the greater level of each minute.
    func maximum(_ other: BlockLevels) -> BlockLevels {
        var levels = self
        for minute in indices where other[minute] > self[minute] { levels[minute] = other[minute] }
        return levels
    }
}
