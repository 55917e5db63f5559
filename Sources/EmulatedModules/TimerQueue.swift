package import ModuleEmulator

/// The timers of an emulated module with their due times.
package struct TimerQueue {
    private var entries: [(due: ContinuousClock.Instant, timer: ModuleTimer)] = []

    /// Schedules a timer. Delays are clamped between zero and an hour.
    package mutating func schedule(_ timer: ModuleTimer, after delay: Duration) {
        let due = ContinuousClock.now + min(max(delay, .zero), .seconds(3600))
        let index = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, timer), at: index)
    }

    package mutating func removeAll() { entries.removeAll() }

    /// Removes and returns the first timer that is due at `now`.
    package mutating func next(at now: ContinuousClock.Instant) -> ModuleTimer? {
        guard let first = entries.first, first.due <= now else { return nil }
        return entries.removeFirst().timer
    }

    /// Time until the first timer is due; `nil` without timers.
    package var wait: Duration? { entries.first.map { max(.zero, $0.due - .now) } }
}
