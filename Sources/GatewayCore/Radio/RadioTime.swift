package import BeaconModel

/// The clocks' readings when an input is handled.
package struct RadioTime: Equatable, Sendable {
    /// Time since the start of the service, on a monotonic clock.
    package var elapsed: Duration
    package var wall: Timestamp
    /// Whether the wall clock is synchronized to a reference.
    package var isSynchronized: Bool

    package init(elapsed: Duration, wall: Timestamp, isSynchronized: Bool) {
        self.elapsed = elapsed
        self.wall = wall
        self.isSynchronized = isSynchronized
    }
}
