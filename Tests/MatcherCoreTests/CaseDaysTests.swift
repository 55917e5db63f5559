import Matching
import OperatorText
import Testing

@testable import MatcherCore

@Suite("The days of a positive case") struct CaseDaysTests {
    /// 2026-11-02.
    private static let today: Int64 = 20_759

    /// What is wrong with a day, of a report of today.
    private func mistake(_ policy: String, onset: String? = nil, test: String? = nil) throws -> CaseDays.Mistake? {
        let days = CaseDays(
            policy: try #require(Policy.shipped(policy)), since: (Self.today - 14) * 86_400,
            until: Self.today * 86_400 + 3600,
            usual: (Self.today - 14) * 86_400, latest: Self.today)
        return days.mistake(
            in: PositiveCase(
                reportType: .confirmed, onset: onset.flatMap(DayText.parse), test: test.flatMap(DayText.parse)))
    }

    @Test(arguments: Policy.shippedNames)
    func `Another year is refused by every policy`(policy: String) throws {
        for year in ["2025", "2027"] {
            #expect(try mistake(policy, onset: "\(year)-11-02")?.key == .onset)
            #expect(try mistake(policy, test: "\(year)-11-02")?.key == .test)
            // A good onset doesn't make the test's day good.
            #expect(try mistake(policy, onset: "2026-11-01", test: "\(year)-11-02")?.key == .test)
        }
        #expect(try mistake(policy, onset: "2026-11-03")?.found == "2026-11-03 is in the future")
        #expect(try mistake(policy, onset: "2026-11-02", test: "2026-11-02") == nil)
        #expect(try mistake(policy) == nil)
    }

    // By en-v2 somebody is infectious until five days after the onset; contacts are looked for since 2026-10-19.
    @Test(arguments: [("2026-10-13", false), ("2026-10-14", true)])
    func `A day that makes nobody infectious in the time is refused`(onset: String, isGood: Bool) throws {
        #expect(try (mistake("en-v2", onset: onset) == nil) == isGood)
        #expect(try (mistake("en-v2", test: onset) == nil) == isGood)
        #expect(try mistake("six-metre-five-minute", onset: onset) == nil)
    }
}
