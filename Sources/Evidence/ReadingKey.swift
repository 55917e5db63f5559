package import Matching

/// The key of a row of readings: a block of 15 minutes, and the number of the row's subject or receiver. Rows of one
/// block are adjacent, and so are those of one day.
package struct ReadingKey: Hashable, Comparable {
    /// Quarters of an hour in the upper 23 bits, a number below 2^40 in the lower 40.
    package let rawValue: Int64

    static let largestNumber: Int64 = (1 << 40) - 1
    package static let lastBlock: Int64 = Int64.max >> 40

    /// Whether a number can be part of a key.
    package static func isNumber(_ number: Int64) -> Bool { (0...largestNumber).contains(number) }

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(_ block: ReadingBlock, _ number: Int64) {
        rawValue = block.number << 40 | (number & Self.largestNumber)
    }

    package var block: ReadingBlock { ReadingBlock(number: rawValue >> 40) }
    package var number: Int64 { rawValue & Self.largestNumber }

    /// Returns the first key of a block.
    package static func first(_ block: ReadingBlock) -> Int64 { block.number << 40 }

    /// Returns the first key of a day since 1970.
    package static func first(ofDay day: Int64) -> Int64 { first(ReadingBlock(number: day * ReadingBlock.perDay)) }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
