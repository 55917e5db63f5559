import GatewayCore
import SystemIO

/// The clocks of the radio. The kernel is asked once a second whether the wall clock is synchronized, not for each batch
/// of packets.
struct RadioClock {
    private let start = ContinuousClock.now
    private var answer: (isSynchronized: Bool, at: Duration)?

    mutating func read() -> RadioTime {
        let elapsed = ContinuousClock.now - start
        var isSynchronized = answer?.isSynchronized ?? false
        if answer.map({ elapsed - $0.at >= .seconds(1) }) ?? true {
            isSynchronized = WallClock.isSynchronized
            answer = (isSynchronized, elapsed)
        }
        return RadioTime(elapsed: elapsed, wall: WallClock.now(), isSynchronized: isSynchronized)
    }
}
