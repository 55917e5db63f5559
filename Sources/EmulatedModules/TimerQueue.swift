package import ModuleEmulator

/// Timers of an emulated module and when they are due.
package struct TimerQueue {
    private var entries: [(due: ContinuousClock.Instant, timer: ModuleTimer)] = []

    /// Delays are kept between zero and an hour.
    package mutating func schedule(_ timer: ModuleTimer, after delay: Duration) {
        let due = ContinuousClock.now + min(max(delay, .zero), .seconds(3600))
        let index = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, timer), at: index)
    }

    package mutating func removeAll() { entries.removeAll() }

    /// Takes out the first timer that is due at `now`.
    package mutating func next(at now: ContinuousClock.Instant) -> ModuleTimer? {
        guard let first = entries.first, first.due <= now else { return nil }
        return entries.removeFirst().timer
    }

    /// The time until the first timer is due; `nil` without timers.
    package var wait: Duration? { entries.first.map { max(.zero, $0.due - .now) } }
}
