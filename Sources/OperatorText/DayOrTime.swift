import BeaconModel

/// A day or an instant, as a user wrote it. A day is whole: it ends when the next one begins, even where clocks change.
package enum DayOrTime: Equatable, Sendable {
    /// A day, in days since 1970.
    case day(Int64)
    /// An instant, in seconds since 1970.
    case time(Int64)

    package static let form = "a day, 2026-11-02, or a time, 2026-11-02T09:30:00Z"

    package init?(_ text: String) {
        if let day = DayText.parse(text) {
            self = .day(day)
        } else if let time = RFC3339Text.parse(text) {
            self = .time(time.microseconds / 1_000_000)
        } else {
            return nil
        }
    }

    /// Returns its first second, in seconds since 1970.
    package func start(in days: CalendarDays) -> Int64 {
        switch self {
        case .day(let day): days.start(of: day)
        case .time(let seconds): seconds
        }
    }

    /// Whether it has no duration.
    package var isInstant: Bool {
        switch self {
        case .day: false
        case .time: true
        }
    }

    /// Whether a period that ends with it has nothing left at an instant, given in seconds since 1970.
    package func isOver(at start: Int64, in days: CalendarDays) -> Bool { end(in: days) <= start }

    /// Returns its end in seconds since 1970: for an instant the instant itself, for a day the beginning of the next
    /// one.
    package func end(in days: CalendarDays) -> Int64 {
        switch self {
        case .day(let day): days.start(of: day + 1)
        case .time(let seconds): seconds
        }
    }

    /// Returns the time that it stands for where it replaces the present: an instant itself, or a day's first second.
    /// The current day stands for the present, so that nothing of it is left out.
    ///
    /// - Parameter clock: the present, in seconds since 1970.
    package func present(clock: Int64, in days: CalendarDays) -> Int64 {
        let start = start(in: days)
        return !isInstant && start <= clock && clock < end(in: days) ? clock : start
    }
}
