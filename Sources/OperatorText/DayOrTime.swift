import BeaconModel

/// A day or an instant, as somebody wrote it. A day is whole: it ends when the next one begins, wherever clocks are.
package enum DayOrTime: Equatable, Sendable {
    /// In days since 1970.
    case day(Int64)
    /// In seconds since 1970.
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

    /// The first second of it, since 1970.
    package func start(in days: CalendarDays) -> Int64 {
        switch self {
        case .day(let day): days.start(of: day)
        case .time(let seconds): seconds
        }
    }

    /// Whether it has no length.
    package var isInstant: Bool {
        switch self {
        case .day: false
        case .time: true
        }
    }

    /// Whether nothing of a time that ends with it is left by an instant, in seconds since 1970.
    package func isOver(at start: Int64, in days: CalendarDays) -> Bool { end(in: days) <= start }

    /// When it is over, in seconds since 1970: an instant at once, a day when the next one begins.
    package func end(in days: CalendarDays) -> Int64 {
        switch self {
        case .day(let day): days.start(of: day + 1)
        case .time(let seconds): seconds
        }
    }

    /// What it stands for where it replaces the present: an instant itself, a day its first second, and the day that is
    /// still going on the present, of which nothing may be left out.
    ///
    /// - Parameter clock: the present, in seconds since 1970.
    package func present(clock: Int64, in days: CalendarDays) -> Int64 {
        let start = start(in: days)
        return !isInstant && start <= clock && clock < end(in: days) ? clock : start
    }
}
