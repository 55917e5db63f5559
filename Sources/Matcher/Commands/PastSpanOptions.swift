import ArgumentParser
import BeaconModel
import MatcherCore
import Matching
import OperatorText
import SystemIO

/// Options that select a span of the past: the last 24 hours by default.
struct PastSpanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Start: a time, or a day from its beginning (default: 24 hours ago).", valueName: "time"),
        transform: MatcherOption.time)
    var from: DayOrTime?

    @Option(
        help: ArgumentHelp("End: a time, or a day to its end (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var to: DayOrTime?

    /// Returns the span.
    ///
    /// - Throws: `ImplausibleTime`.
    func span(in days: CalendarDays) throws -> AskedSpan {
        try AskedSpan(
            from: from, to: to, back: 86_400, days: days, now: WallClock.now().microseconds / 1_000_000)
    }
}
