import BeaconModel
import Matching
import OperatorText

/// The time that somebody asks about, by the options `--from` and `--to`. Pure.
struct AskedSpan: Equatable {
    /// Seconds since 1970.
    var since: Int64
    /// The same; a day that was given ends when the next one begins.
    var until: Int64

    /// What somebody may ask about.
    enum Reach {
        /// What was heard: nothing of tomorrow is known, and of nothing no answer follows.
        case past
        /// What is planned, too.
        case future
    }

    /// - Parameters:
    ///   - back: how long before `now` it begins when nothing is given, in seconds.
    ///   - ahead: how long after its beginning it ends when no end is given, in seconds; what is past ends now.
    ///   - days: the site's.
    ///   - now: seconds since 1970.
    init(
        from: DayOrTime?, to: DayOrTime?, back: Int64, ahead: Int64 = 0, reach: Reach = .past, days: CalendarDays,
        now: Int64
    ) throws(ImplausibleTime) {
        since = from?.start(in: days) ?? now - back
        until = to?.end(in: days) ?? (reach == .future ? since + ahead : now)
        if from == nil, let to, reach == .past { since = min(now, to.end(in: days)) - back }
        try check(from, to, reach, days, now)
    }

    /// The time in which contacts of a case matter, as far as nothing else is asked for.
    ///
    /// - Parameters:
    ///   - lookback: the policy's, in days.
    ///   - days: the site's.
    ///   - now: seconds since 1970.
    init(
        from: DayOrTime?, to: DayOrTime?, around positive: PositiveCase, lookback: Int64, days: CalendarDays,
        now: Int64
    ) throws(ImplausibleTime) {
        let asked = to.map { min(now, $0.end(in: days)) }
        let window = positive.window(lookback: lookback, received: asked ?? now, days: days)
        since = from?.start(in: days) ?? window.since
        until = to?.end(in: days) ?? max(since, min(window.until, now))
        try check(from, to, .past, days, now)
    }

    private func check(
        _ from: DayOrTime?, _ to: DayOrTime?, _ reach: Reach, _ days: CalendarDays, _ now: Int64
    ) throws(ImplausibleTime) {
        func shown(_ seconds: Int64) -> String { "\(days.text(seconds)) \(days.name)" }
        if reach == .past {
            if let from, from.start(in: days) > now {
                throw ImplausibleTime(
                    what: "--from \(shown(since)) is in the future", remedy: "it is \(shown(now)) now")
            }
            if let to, to.start(in: days) > now {
                throw ImplausibleTime(
                    what: "--to \(shown(to.start(in: days))) is in the future",
                    remedy: "leave --to out for now, which is \(shown(now))")
            }
        }
        if to?.isOver(at: since, in: days) ?? (since > until) {
            throw ImplausibleTime(
                what: "--from must not be after --to: from \(shown(since)) to \(shown(until)) is no time",
                remedy: "give a day to --to for the whole of it")
        }
    }
}

/// A time on the command line of which no answer can follow.
struct ImplausibleTime: OperatorError, Equatable {
    var what: String
    var remedy: String?
    var exitStatus: ExitStatus { .usage }
}
