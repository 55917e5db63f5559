import BeaconModel
import GatewayCore
import SystemIO

/// The clocks of the radio. The kernel is not asked for each batch of packets whether the wall clock is synchronized.
struct RadioClock {
    private let start = ContinuousClock.now
    private var answer: SynchronizationAnswer?

    mutating func read() -> RadioTime {
        let (elapsed, wall) = (ContinuousClock.now - start, WallClock.now())
        let answer =
            answer.flatMap { $0.holds(elapsed: elapsed, wall: wall) ? $0 : nil }
            ?? SynchronizationAnswer(WallClock.isSynchronized, elapsed: elapsed, wall: wall)
        self.answer = answer
        return RadioTime(elapsed: elapsed, wall: wall, isSynchronized: answer.isSynchronized)
    }
}
