package import BeaconModel
package import Matching
package import OperatorText

/// Time span of a query, from the options `--from` and `--to`, or from the days of a positive case.
package struct AskedSpan: Equatable, Sendable {
    /// Beginning, in seconds since 1970.
    package var since: Int64
    /// End, in seconds since 1970; a given day ends when the next one begins.
    package var until: Int64

    /// Range of times that a query can cover.
    package enum Reach: Sendable {
        /// The past, for observations: there are none of the future, so no answer could follow.
        case past
        /// The past and the future, for plans.
        case future
    }

    /// Creates a span from the options.
    ///
    /// - Parameters:
    ///   - back: seconds before `now` at which the span begins by default.
    ///   - ahead: seconds after its beginning at which the span ends by default; for the past it ends now.
    ///   - days: calendar days of the site.
    ///   - now: seconds since 1970.
    package init(
        from: DayOrTime?, to: DayOrTime?, back: Int64, ahead: Int64 = 0, reach: Reach = .past, days: CalendarDays,
        now: Int64
    ) throws(ImplausibleTime) {
        since = from?.start(in: days) ?? now - back
        until = to?.end(in: days) ?? (reach == .future ? since + ahead : now)
        if from == nil, let to, reach == .past { since = min(now, to.end(in: days)) - back }
        try check(from, to, reach, days, now)
        if since >= until { throw emptiness(to, days) }
    }

    /// Returns the span in which contacts of a case are searched: the requested span or, by default, the time in which
    /// they count.
    ///
    /// - Parameters:
    ///   - isReport: whether the case is reported: then future contacts count as well, and subjects are not notified of
    ///     contacts before the policy's days.
    ///   - days: calendar days of the site.
    ///   - now: seconds since 1970.
    /// - Throws: `ImplausibleTime`, `ImplausibleDay` or `StartAfterCase` if nothing could be found.
    package static func contacts(
        of positive: PositiveCase, by policy: Policy, from: DayOrTime? = nil, to: DayOrTime? = nil, isReport: Bool,
        days: CalendarDays, now: Int64
    ) throws -> AskedSpan {
        let end = to?.end(in: days)
        let lookback = policy.risk.days
        let window = positive.window(lookback: lookback, received: min(end ?? now, now), days: days)
        let since = from?.start(in: days) ?? window.since
        var span = AskedSpan(since: since, until: end ?? max(since, min(window.until, now)))
        try span.check(from, to, .past, days, now)
        if isReport { span.until = window.until }
        let usual = from?.start(in: days) ?? min(end ?? now, now) - lookback * 86_400
        let earliest = isReport ? max(span.since, usual) : span.since
        let plausible = CaseDays(
            policy: policy, since: earliest, until: span.until, usual: usual, latest: days.day(of: now))
        if let mistake = plausible.mistake(in: positive) { throw ImplausibleDay(mistake, timeZone: days.name) }
        if to == nil, window.until < earliest {
            throw StartAfterCase(from: earliest, until: window.until, days: days)
        }
        if span.since >= span.until { throw span.emptiness(to, days) }
        return span
    }

    private init(since: Int64, until: Int64) {
        self.since = since
        self.until = until
    }

    private func check(
        _ from: DayOrTime?, _ to: DayOrTime?, _ reach: Reach, _ days: CalendarDays, _ now: Int64
    ) throws(ImplausibleTime) {
        func shown(_ seconds: Int64) -> String { "\(days.text(seconds)) \(days.name)" }
        if reach == .past {
            if let from, from.start(in: days) > now {
                throw ImplausibleTime(
                    what: "--from \(shown(since)) is in the future", remedy: "the present time is \(shown(now))")
            }
            if let to, to.start(in: days) > now {
                throw ImplausibleTime(
                    what: "--to \(shown(to.start(in: days))) is in the future",
                    remedy: "omit --to for the present time, \(shown(now))")
            }
        }
        if let to, to.isOver(at: since, in: days) { throw emptiness(to, days) }
    }

    private func emptiness(_ to: DayOrTime?, _ days: CalendarDays) -> ImplausibleTime {
        func shown(_ seconds: Int64) -> String { "\(days.text(seconds)) \(days.name)" }
        let span = "from \(shown(since)) to \(shown(until))"
        return ImplausibleTime(
            what: since == until && to?.isInstant ?? true
                ? "the time between --from and --to is empty: \(span)" : "--from must not be after --to: \(span)",
            remedy: "a day given to --to includes all of that day")
    }
}

/// Time on the command line from which no answer can follow.
package struct ImplausibleTime: OperatorError, Equatable {
    package var what: String
    package var remedy: String?
    package var exitStatus: ExitStatus { .usage }
}
