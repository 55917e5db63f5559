extension InteractionStore {
    /// The key of an interaction's row.
    struct RowKey: Hashable, Comparable {
        var place: Int64
        var started: Int64
        var origin: Int64
        var number: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.place, left.started, left.origin, left.number)
                < (right.place, right.started, right.origin, right.number)
        }
    }
}
