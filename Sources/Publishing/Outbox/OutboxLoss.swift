package import RecordContract

/// Records that are lost.
package struct OutboxLoss: Equatable, Sendable {
    package var count: Int
    package var oldest: RecordPosition
    package var newest: RecordPosition

    package init(count: Int, oldest: RecordPosition, newest: RecordPosition) {
        self.count = count
        self.oldest = oldest
        self.newest = newest
    }

    /// - Returns: `nil` for no records.
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

    /// Another loss together with this one.
    package mutating func add(_ other: OutboxLoss) {
        count += other.count
        oldest = min(oldest, other.oldest)
        newest = max(newest, other.newest)
    }
}
