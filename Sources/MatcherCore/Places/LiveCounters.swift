/// Numbers of what was dropped since the start.
package struct LiveCounters: Equatable, Sendable {
    /// Messages for seconds that are over, or far in the future.
    package var late: UInt64 = 0
    /// Messages and subjects over a gateway's limits.
    package var flood: UInt64 = 0
    /// Messages for a receiver of another gateway.
    package var foreign: UInt64 = 0
    /// Messages that came again, or in the wrong order.
    package var repeated: UInt64 = 0
    /// Messages of receivers without a position, or on floors without a plan.
    package var unplaced: UInt64 = 0
    /// Subjects that were dropped because there are too many.
    package var full: UInt64 = 0
}
