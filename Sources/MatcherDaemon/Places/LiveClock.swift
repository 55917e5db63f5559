import BeaconModel
import SystemIO

/// A clock of seconds since 1970 that never runs backwards: the wall clock at its start, and the time since.
///
/// Setting the system's clock moves no signals in time.
struct LiveClock: Sendable {
    private let wall: Double
    private let start: ContinuousClock.Instant

    init() {
        wall = Double(WallClock.now().microseconds) / 1_000_000
        start = .now
    }

    func seconds(at instant: ContinuousClock.Instant = .now) -> Double { wall + (instant - start) / .seconds(1) }

    /// Returns a time of this clock by the wall clock of now, in seconds since 1970.
    func wallTime(of time: Double) -> Int64 {
        let now = Double(WallClock.now().microseconds) / 1_000_000
        return Int64((now - (seconds() - time)).rounded(.down))
    }
}
