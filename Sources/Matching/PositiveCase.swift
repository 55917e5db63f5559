package import OperatorText

/// A person who reported positive, with the facts that determine the consequences.
package struct PositiveCase: Equatable, Sendable {
    package var reportType: ReportType
    /// Onset and test, in days since 1970 in the site's time zone.
    package var onset: Int64?
    package var test: Int64?

    package init(reportType: ReportType, onset: Int64? = nil, test: Int64? = nil) {
        self.reportType = reportType
        self.onset = onset
        self.test = test
    }

    /// Days after the test, the onset or the report for which a subject counts as infectious, unless the policy sets
    /// fewer. This is how long people with COVID-19 were asked to isolate (WHO, "Criteria for releasing COVID-19
    /// patients from isolation", 2020).
    package static let daysAhead: Int64 = 10

    /// Returns the time in which contacts of the positive subject matter, in seconds since 1970. It extends from the
    /// policy's look-back period before the first to `daysAhead` days after the last of the days of onset and test, or
    /// of the report when neither is known.
    ///
    /// - Parameters:
    ///   - lookback: look-back period in days.
    ///   - received: time of the report, in seconds since 1970.
    ///   - days: the site's calendar.
    package func window(
        lookback: Int64, received: Int64, days: CalendarDays = .utc
    ) -> (since: Int64, until: Int64) {
        let day: Int64 = 86_400
        guard let first = [onset, test].compactMap(\.self).min(), let last = [onset, test].compactMap(\.self).max()
        else { return (received - lookback * day, received + Self.daysAhead * day) }
        return (days.start(of: first - lookback), days.start(of: last + 1 + Self.daysAhead) - 1)
    }

    /// Returns the days since the onset of symptoms or, without it, the test; `nil` when neither is known.
    ///
    /// - Parameter day: days since 1970.
    func daysSinceOnset(on day: Int64) -> Int64? { (onset ?? test).map { day - $0 } }
}
