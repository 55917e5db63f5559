import Matching
import OperatorText
import Testing

@testable import MatcherCore

@Suite("Which reports are matched when") struct MatchingScheduleTests {
    private let start = ContinuousClock.now
    private let morning: Int64 = 1_793_606_400

    private func policy() throws -> Policy { try #require(Policy.shipped("further")) }

    /// A schedule that has completed its first round, in which report 7 was the latest.
    private func begun(_ policy: Policy, phoneDays: Range<Int64>? = nil) -> MatchingSchedule {
        var schedule = MatchingSchedule()
        let round = schedule.round(policy: policy, phoneDays: phoneDays, now: morning, at: start)
        schedule.complete(round, last: 7, at: start)
        return schedule
    }

    @Test func `At the start all reports of all types are matched, and all notices made again`() throws {
        let round = MatchingSchedule().round(policy: try policy(), phoneDays: nil, now: morning, at: start)
        #expect(round.isFirst && round.isAll && round.renewsNotices && round.last == 0)
        #expect(round.types == ReportType.allCases)
    }

    @Test func `Then only new reports of types that count are matched, and all again after five minutes`() throws {
        var policy = try policy()
        policy.reportTypes.selfReported = 0
        var schedule = begun(policy)
        for (seconds, isAll) in [(1, false), (299, false), (300, true)] {
            let round = schedule.round(
                policy: policy, phoneDays: nil, now: morning + 1, at: start + .seconds(seconds))
            #expect(!round.isFirst && round.isAll == isAll && round.last == (isAll ? 0 : 7) && !round.renewsNotices)
            #expect(!round.types.contains(.selfReported) && round.types.contains(.confirmed))
        }
        let round = schedule.round(policy: policy, phoneDays: nil, now: morning + 1, at: start + .seconds(1))
        schedule.complete(round, last: nil, at: start + .seconds(1))
        #expect(
            schedule.round(policy: policy, phoneDays: nil, now: morning + 1, at: start + .seconds(2)).last == 7)
    }

    @Test func `By another policy, and on another day of the site, all are matched, and all notices made again`() throws
    {
        let policy = try policy()
        let schedule = begun(policy)
        var other = policy
        other.version += "x"
        let changed = schedule.round(policy: other, phoneDays: nil, now: morning, at: start)
        #expect(changed.isAll && changed.renewsNotices && changed.types == ReportType.allCases && !changed.isFirst)
        let tomorrow = schedule.round(policy: policy, phoneDays: nil, now: morning + 86_400, at: start)
        #expect(tomorrow.isAll && tomorrow.renewsNotices)
    }

    @Test func `When phones are notified of another day, all notices are made again`() throws {
        let policy = try policy()
        let schedule = begun(policy, phoneDays: 20_000..<20_014)
        #expect(
            !schedule.round(policy: policy, phoneDays: 20_000..<20_014, now: morning, at: start).renewsNotices)
        let round = schedule.round(policy: policy, phoneDays: 20_001..<20_015, now: morning, at: start)
        #expect(round.isAll && round.renewsNotices)
    }
}
