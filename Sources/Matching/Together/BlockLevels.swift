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
}
