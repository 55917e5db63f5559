import BeaconModel

/// Counter that decays at a constant rate (the generic cell rate algorithm, ITU-T I.371, Annex A).
struct LeakyBucket: Sendable {
    /// Time in which one event decays.
    private let interval: Duration
    /// Maximum count.
    private let depth: Int
    /// Time at which the count reaches zero.
    var emptyAt: Timestamp = .epoch

    /// Creates an empty bucket.
    ///
    /// - Parameters:
    ///   - perSecond: decay rate per second; at least 1.
    ///   - depth: maximum count; at least 1.
    init(perSecond: Int, depth: Int) {
        interval = .microseconds(1_000_000 / max(1, perSecond))
        self.depth = max(1, depth)
    }

    mutating func add(at time: Timestamp) {
        emptyAt = min(max(emptyAt, time) + interval, time + interval * depth)
    }

    /// Whether the count is at least `count`; it is never more than the depth.
    func holds(_ count: Int, at time: Timestamp) -> Bool { emptyAt - time > interval * (count - 1) }
}
