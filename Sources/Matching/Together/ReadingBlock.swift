/// Quarter of an hour by the UTC clock: minutes are stored in blocks of 15.
package struct ReadingBlock: Hashable, Comparable, Sendable {
    /// Quarters of an hour since 1970.
    package let number: Int64

    package static let minutes = 15
    /// Length in seconds.
    package static let length: Int64 = 900
    package static let perDay: Int64 = 96

    /// Bounds of block numbers, so that times can be computed whatever was written to a database.
    private static let bounds: ClosedRange<Int64> = -(1 << 40)...1 << 40

    package init(number: Int64) { self.number = min(max(number, Self.bounds.lowerBound), Self.bounds.upperBound) }

    /// Returns the block that contains a time.
    ///
    /// - Parameter time: seconds since 1970.
    package init(containing time: Int64) {
        self.init(number: time >= 0 ? time / Self.length : (time + 1) / Self.length - 1)
    }

    /// Start and end, in seconds since 1970.
    package var start: Int64 { number * Self.length }
    package var end: Int64 { start + Self.length }
    /// Days since 1970, UTC.
    package var day: Int64 { number / Self.perDay }

    /// Returns the start of a minute, in seconds since 1970.
    ///
    /// - Parameter minute: 0 to 14.
    package func start(ofMinute minute: Int) -> Int64 { start + Int64(minute) * 60 }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
