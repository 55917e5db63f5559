package import BeaconModel

/// The kernel's answer to whether the wall clock is synchronized, and for how long it holds.
package struct SynchronizationAnswer: Sendable {
    /// Time after which the kernel is asked again.
    private static let lifetime = Duration.seconds(1)
    /// Differences between the clocks that are no step of the wall clock. Adjusting a clock changes less in a second.
    private static let drift = Duration.milliseconds(-100)...Duration.milliseconds(100)

    package let isSynchronized: Bool
    private let elapsed: Duration
    private let wall: Timestamp

    /// - Parameters:
    ///   - elapsed: the time of the answer, on a monotonic clock.
    ///   - wall: the time of the answer, on the wall clock.
    package init(_ isSynchronized: Bool, elapsed: Duration, wall: Timestamp) {
        self.isSynchronized = isSynchronized
        self.elapsed = elapsed
        self.wall = wall
    }

    /// Whether the answer holds: it is not old, and the wall clock has not been set since.
    package func holds(elapsed: Duration, wall: Timestamp) -> Bool {
        let passed = elapsed - self.elapsed
        return passed < Self.lifetime && Self.drift.contains(wall - self.wall - passed)
    }
}
