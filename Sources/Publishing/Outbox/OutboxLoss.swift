package import RecordContract

/// A range of lost records.
package struct OutboxLoss: Equatable, Sendable {
    package var count: Int
    package var oldest: RecordPosition
    package var newest: RecordPosition

    package init(count: Int, oldest: RecordPosition, newest: RecordPosition) {
        self.count = count
        self.oldest = oldest
        self.newest = newest
    }

    /// Summarizes positions.
    ///
    /// - Returns: `nil` if there are no records.
    package init?(_ positions: some Sequence<RecordPosition>) {
        var (count, oldest, newest) = (0, RecordPosition?.none, RecordPosition?.none)
        for position in positions {
            count += 1
            oldest = min(oldest ?? position, position)
            newest = max(newest ?? position, position)
        }
        guard let oldest, let newest else { return nil }
        self.init(count: count, oldest: oldest, newest: newest)
    }

    /// Adds another loss to this one.
    package mutating func add(_ other: OutboxLoss) {
        count += other.count
        oldest = min(oldest, other.oldest)
        newest = max(newest, other.newest)
    }
}
