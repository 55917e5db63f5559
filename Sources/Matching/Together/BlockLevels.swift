/// How alike two subjects looked in each minute of a block: 15 levels of 4 bits.
public struct BlockLevels: RandomAccessCollection, Hashable, Sendable {
    private var bits: UInt64 = 0

    public init() {}

    /// Whether the two looked alike in no minute.
    public var isEmpty: Bool { bits == 0 }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ReadingBlock.minutes }

    /// - Parameter minute: 0 to 14.
    public subscript(minute: Int) -> SimilarityLevel {
        get { SimilarityLevel(rawValue: UInt8(truncatingIfNeeded: bits >> UInt64(4 * minute)) & 15) }
        set {
            bits &= ~(15 << UInt64(4 * minute))
            bits |= UInt64(newValue.rawValue) << UInt64(4 * minute)
        }
    }

    /// The minutes, as bits, in which the two looked alike.
    public var minutes: UInt16 { indices.reduce(0) { self[$1] > .none ? $0 | 1 << UInt16($1) : $0 } }

    /// What is left when only some minutes count, which are bits.
    func only(_ minutes: UInt16) -> BlockLevels {
        var levels = self
        for minute in indices where minutes >> UInt16(minute) & 1 == 0 { levels[minute] = .none }
        return levels
    }

    /// The levels of both; no minute may be in both.
    func merging(_ other: BlockLevels) -> BlockLevels {
        var levels = self
        levels.bits |= other.bits
        return levels
    }
}
