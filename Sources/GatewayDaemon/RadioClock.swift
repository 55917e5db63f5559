import BeaconModel
import GatewayCore
import SystemIO

/// The clocks of the radio. The kernel is asked once a second, and after each step of the wall clock, whether the wall
/// clock is synchronized, not for each batch of packets.
struct RadioClock {
    /// A difference between the clocks that is not a step: what adjusting a clock changes in a second.
    private static let drift = Duration.milliseconds(-100)...Duration.milliseconds(100)

    private let start = ContinuousClock.now
    private var answer: (isSynchronized: Bool, at: Duration, wall: Timestamp)?

    mutating func read() -> RadioTime {
        let (elapsed, wall) = (ContinuousClock.now - start, WallClock.now())
        if let answer {
            let drift = wall - answer.wall - (elapsed - answer.at)
            if elapsed - answer.at < .seconds(1), Self.drift.contains(drift) {
                return RadioTime(elapsed: elapsed, wall: wall, isSynchronized: answer.isSynchronized)
            }
        }
        let isSynchronized = WallClock.isSynchronized
        answer = (isSynchronized, elapsed, wall)
        return RadioTime(elapsed: elapsed, wall: wall, isSynchronized: isSynchronized)
    }
}
