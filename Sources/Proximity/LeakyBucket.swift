import BeaconModel

/// Counts what happens, and forgets it at a constant rate (the generic cell rate algorithm, ITU-T I.371, Annex A).
struct LeakyBucket: Sendable {
    /// How long it takes to forget one.
    private let interval: Duration
    /// No more than this many are remembered.
    private let depth: Int
    /// When all will have been forgotten.
    var emptyAt: Timestamp = .epoch

    /// - Parameters:
    ///   - perSecond: how many are forgotten in a second; at least 1.
    ///   - depth: how many are remembered at most; at least 1.
    init(perSecond: Int, depth: Int) {
        interval = .microseconds(1_000_000 / max(1, perSecond))
        self.depth = max(1, depth)
    }

    mutating func add(at time: Timestamp) {
        emptyAt = min(max(emptyAt, time) + interval, time + interval * depth)
    }

    /// Whether at least `count` are remembered; more than the depth never are.
    func holds(_ count: Int, at time: Timestamp) -> Bool { emptyAt - time > interval * (count - 1) }
}
