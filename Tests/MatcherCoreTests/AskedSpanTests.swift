import MatcherCore
import Matching
import OperatorText
import Testing

@Suite("The time that somebody asks about") struct AskedSpanTests {
    /// 2026-11-02T08:00:00Z.
    private static let now: Int64 = 1_793_606_400
    private static let day: Int64 = 86_400
    private static let midnight = now - 8 * 3600
    private static let montreal = CalendarDays(name: "America/Montreal", offset: -5 * 3600)

    private func span(
        _ from: String?, _ to: String?, _ days: CalendarDays = .utc
    ) throws -> AskedSpan {
        try AskedSpan(
            from: from.flatMap(DayOrTime.init), to: to.flatMap(DayOrTime.init), back: 14 * Self.day, days: days,
            now: Self.now)
    }

    @Test func `A day is whole, in the site's time zone`() throws {
        let utc = try span("2026-11-01", "2026-11-01")
        #expect(utc.since == Self.midnight - Self.day && utc.until == Self.midnight)
        let montreal = try span("2026-11-01", "2026-11-01", Self.montreal)
        #expect(montreal.since == utc.since + 5 * 3600 && montreal.until == utc.until + 5 * 3600)
        // Today, as far as it has come.
        #expect(try span(nil, "2026-11-02").until == Self.midnight + Self.day)
    }

    @Test func `Without options it is what the policy looks back on`() throws {
        let span = try span(nil, nil)
        #expect(span.since == Self.now - 14 * Self.day && span.until == Self.now)
        // An end that is given moves the beginning along, and today's isn't tonight.
        #expect(try self.span(nil, "2026-10-31").since == Self.midnight - 15 * Self.day)
        #expect(try self.span(nil, "2026-11-02").since == Self.now - 14 * Self.day)
    }

    @Test(
        "What can't be is refused",
        arguments: [
            ("2027-11-02", nil, "--from 2027-11-02 00:00 UTC is in the future"),
            (nil, "2027-11-02", "--to 2027-11-02 00:00 UTC is in the future"),
            ("2026-11-02T08:00:01Z", nil, "--from 2026-11-02 08:00 UTC is in the future"),
            ("2026-11-02", "2026-11-01", "--from must not be after --to"),
            ("2026-11-02T07:00:00Z", "2026-11-02T07:00:00Z", "the time between --from and --to is empty"),
            ("2026-11-02T08:00:00Z", nil, "the time between --from and --to is empty"),
        ] as [(String?, String?, String)])
    func refused(from: String?, to: String?, what: String) {
        let error = #expect(throws: ImplausibleTime.self) { try span(from, to) }
        #expect(error?.what.hasPrefix(what) == true, "\(error?.what ?? "")")
    }

    @Test func `A report may begin now, and exposures of a time without length aren't asked for`() throws {
        let policy = try #require(Policy.shipped("further"))
        func contacts(to: DayOrTime? = nil, isReport: Bool) throws -> AskedSpan {
            try AskedSpan.contacts(
                of: PositiveCase(reportType: .confirmed), by: policy, from: .time(Self.now), to: to, isReport: isReport,
                days: .utc, now: Self.now)
        }
        #expect(try contacts(isReport: true).until > Self.now)
        #expect(throws: ImplausibleTime.self) { try contacts(isReport: false) }
        #expect(throws: ImplausibleTime.self) { try contacts(to: .time(Self.now), isReport: false) }
    }

    @Test func `What is planned may be asked about ahead`() throws {
        let week = try AskedSpan(
            from: .day(20_800), to: nil, back: 0, ahead: 7 * Self.day, reach: .future, days: .utc, now: Self.now)
        #expect(week.since == 20_800 * Self.day && week.until == 20_807 * Self.day)
    }
}
