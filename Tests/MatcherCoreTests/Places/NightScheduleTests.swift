import OperatorText
import Testing

@testable import MatcherCore

@Suite("Which nights' looks at receivers are due") struct NightScheduleTests {
    private let start = ContinuousClock.now

    @Test func `A night begins at three in the time of the site`() {
        let midnight: Int64 = 20_000 * 86_400
        let east = CalendarDays(name: "East", offset: 3600)
        #expect(NightSchedule.night(at: midnight + 3 * 3600 - 1, in: .utc) == 19_999)
        #expect(NightSchedule.night(at: midnight + 3 * 3600, in: .utc) == 20_000)
        #expect(NightSchedule.night(at: midnight + 2 * 3600 - 1, in: east) == 19_999)
        #expect(NightSchedule.night(at: midnight + 2 * 3600, in: east) == 20_000)
    }

    @Test func `Buildings are due whose last night is an earlier one, or that had none`() {
        let due = NightSchedule().due(
            ["s/d", "s/c", "s/b", "s/a"], done: ["s/a": 7, "s/b": 6, "s/c": 2, "s/x": 1], night: 7, at: start)
        #expect(due == ["s/b", "s/c", "s/d"])
    }

    @Test func `A clock that is set back over three makes no night due again`() {
        #expect(NightSchedule().due(["s/a"], done: ["s/a": 7], night: 6, at: start).isEmpty)
    }

    @Test func `A night that a clock far ahead counted does not prevent others`() {
        #expect(NightSchedule().due(["s/a"], done: ["s/a": 9000], night: 7, at: start) == ["s/a"])
    }

    @Test func `A building whose look failed is due again after five minutes, and holds up no other`() {
        var schedule = NightSchedule()
        schedule.note("s/a", isFailed: true, at: start)
        schedule.note("s/b", isFailed: false, at: start)
        for (seconds, due) in [(60, ["s/b"]), (299, ["s/b"]), (300, ["s/a", "s/b"])] {
            #expect(
                schedule.due(["s/a", "s/b"], done: [:], night: 7, at: start + .seconds(seconds)) == due, "\(seconds)")
        }
    }

    @Test func `A look that succeeds ends the wait after a failure`() {
        var schedule = NightSchedule()
        schedule.note("s/a", isFailed: true, at: start)
        schedule.note("s/a", isFailed: false, at: start)
        #expect(schedule.due(["s/a"], done: ["s/a": 6], night: 7, at: start) == ["s/a"])
    }
}
