import BeaconModel

/// The days of one time zone: when each begins, and which day an instant belongs to.
///
/// The value holds every change of the zone's clocks, so that counting days needs neither a file nor a library.
package struct CalendarDays: Hashable, Sendable {
    /// A change of the offset from UTC at an instant.
    package struct Change: Hashable, Sendable {
        /// Time of the change, in seconds since 1970.
        package var at: Int64
        /// Seconds to add to UTC.
        package var offset: Int64

        package init(at: Int64, offset: Int64) {
            self.at = at
            self.offset = offset
        }
    }

    /// Name of the zone in the IANA database, or `UTC`.
    package let name: String
    /// Offset before the first change.
    private let offset: Int64
    private let changes: [Change]

    package static let utc = CalendarDays(name: "UTC")
    private static let day: Int64 = 86_400

    /// - Parameters:
    ///   - offset: the offset before the first change, in seconds to add to UTC.
    ///   - changes: the changes in chronological order.
    package init(name: String, offset: Int64 = 0, changes: [Change] = []) {
        self.name = name
        self.offset = offset
        self.changes = changes
    }

    /// Returns the day of an instant, in days since 1970.
    ///
    /// - Parameter seconds: the instant in seconds since 1970.
    package func day(of seconds: Int64) -> Int64 {
        let local = seconds.addingReportingOverflow(offset(at: seconds))
        return (local.overflow ? seconds : local.partialValue).flooredQuotient(Self.day)
    }

    /// Returns the first second of a day. Where clocks are set forward at midnight the day begins an hour late.
    ///
    /// - Parameter day: the day in days since 1970, in a year of four digits.
    /// - Returns: seconds since 1970.
    package func start(of day: Int64) -> Int64 {
        let midnight = day * Self.day
        var since = Int64.min
        for index in -1..<changes.count {
            let offset = index < 0 ? offset : changes[index].offset
            let until = index + 1 < changes.count ? changes[index + 1].at : .max
            let start = max(midnight - offset, since)
            if start < until { return start }
            since = until
        }
        return midnight
    }

    /// Returns the local time of an instant: `2026-10-20 10:00`.
    ///
    /// - Parameter seconds: the instant in seconds since 1970.
    package func text(_ seconds: Int64) -> String {
        let text = InstantText.utc(seconds &+ offset(at: seconds))
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }

    private func offset(at seconds: Int64) -> Int64 {
        let next = changes.partitioningIndex { $0.at > seconds }
        return next == 0 ? offset : changes[next - 1].offset
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
