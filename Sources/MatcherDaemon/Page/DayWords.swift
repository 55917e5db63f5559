import OperatorText

/// Days and times of the site, as pages show them. Pure.
struct DayWords: Sendable {
    var days: CalendarDays

    /// Returns a day with its weekday: `Mon 2026-11-02`.
    ///
    /// - Parameter day: the day in days since 1970.
    func day(_ day: Int64) -> String { Self.weekday(day) + " " + DayText.text(day) }

    /// Returns the day of an instant with its weekday.
    ///
    /// - Parameter seconds: the instant in seconds since 1970.
    func day(of seconds: Int64) -> String { day(days.day(of: seconds)) }

    /// Returns an instant with its weekday: `Mon 2026-11-02 10:00`.
    func time(_ seconds: Int64) -> String { day(of: seconds) + " " + clock(seconds) }

    /// Returns the time of day alone: `10:00`.
    func clock(_ seconds: Int64) -> String { String(days.text(seconds).dropFirst(11)) }

    /// Returns a span: `Mon 2026-11-02, 10:00 to 11:30`.
    func span(_ start: Int64, _ end: Int64) -> String {
        let last = days.day(of: start) == days.day(of: end) ? clock(end) : time(end)
        return "\(day(of: start)), \(clock(start)) to \(last)"
    }

    private static func weekday(_ day: Int64) -> String {
        // 1970 began on a Thursday.
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        return names[Int((day % 7 + 7) % 7)]
    }
}
