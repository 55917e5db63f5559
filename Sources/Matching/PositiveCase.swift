package import OperatorText

/// Somebody who reported positive, with what decides what follows from it.
package struct PositiveCase: Equatable, Sendable {
    package var reportType: ReportType
    /// Days since 1970, of the site's time zone.
    package var onset: Int64?
    package var test: Int64?

    package init(reportType: ReportType, onset: Int64? = nil, test: Int64? = nil) {
        self.reportType = reportType
        self.onset = onset
        self.test = test
    }

    /// For so many days after the test, the onset or the report a subject is taken for infectious, if the policy doesn't say
    /// less: how long people with COVID-19 were asked to isolate (WHO, "Criteria for releasing COVID-19 patients from
    /// isolation", 2020).
    package static let daysAhead: Int64 = 10

    /// The time in which contacts of the positive matter, in seconds since 1970: what the policy looks back on, and the days
    /// after it, both from the days of the test and of the onset; from the report when neither is known.
    ///
    /// - Parameters:
    ///   - lookback: in days.
    ///   - received: when it is reported, in seconds since 1970.
    ///   - days: the site's.
    package func window(
        lookback: Int64, received: Int64, days: CalendarDays = .utc
    ) -> (since: Int64, until: Int64) {
        let day: Int64 = 86_400
        guard let first = [onset, test].compactMap(\.self).min(), let last = [onset, test].compactMap(\.self).max()
        else { return (received - lookback * day, received + Self.daysAhead * day) }
        return (days.start(of: first - lookback), days.start(of: last + 1 + Self.daysAhead) - 1)
    }

    /// Since the onset of symptoms or, without it, the test.
    ///
    /// - Parameter day: since 1970.
    func daysSinceOnset(on day: Int64) -> Int64? { (onset ?? test).map { day - $0 } }
}
