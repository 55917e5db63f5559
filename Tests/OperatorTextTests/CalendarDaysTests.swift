import OperatorText
import TestValues
import Testing

@Suite("Days of a time zone") struct CalendarDaysTests {
    /// 2026-11-02T00:00:00Z and its number.
    private static let midnight: Int64 = 1_793_577_600
    private static let number: Int64 = 20_759

    /// Five hours behind UTC; from 2026-11-01T06:00:00Z on, four hours before that.
    private static let montreal = CalendarDays(
        name: "America/Montreal", offset: -4 * 3600, changes: [.init(at: midnight - 18 * 3600, offset: -5 * 3600)])

    @Test func `A day begins at midnight there`() {
        #expect(Self.montreal.start(of: Self.number) == Self.midnight + 5 * 3600)
        #expect(Self.montreal.day(of: Self.midnight + 5 * 3600) == Self.number)
        #expect(Self.montreal.day(of: Self.midnight + 5 * 3600 - 1) == Self.number - 1)
        #expect(CalendarDays.utc.start(of: Self.number) == Self.midnight)
        #expect(Self.montreal.text(Self.midnight) == "2026-11-01 19:00")
    }

    @Test func `A day on which clocks are set back has 25 hours`() {
        let start = Self.montreal.start(of: Self.number - 1)
        #expect(start == Self.midnight - 20 * 3600)
        #expect(Self.montreal.start(of: Self.number) - start == 25 * 3600)
    }

    // As in Santiago: at midnight it is 01:00.
    @Test func `A day without midnight begins when clocks are set forward`() {
        let change = Self.midnight + 4 * 3600
        let days = CalendarDays(name: "x", offset: -4 * 3600, changes: [.init(at: change, offset: -3 * 3600)])
        #expect(days.start(of: Self.number) == change)
        #expect(days.start(of: Self.number + 1) - change == 23 * 3600)
        #expect(days.text(change) == "2026-11-02 01:00")
    }

    @Test func `An instant is in the day that it is said to be in`() {
        var random = SeededGenerator("days of time zones")
        for _ in 0..<3000 {
            var (changes, at) = ([CalendarDays.Change](), Self.midnight)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                at += .random(in: 200_000...20_000_000, using: &random)
                changes.append(.init(at: at, offset: .random(in: -12...14, using: &random) * 3600))
            }
            let days = CalendarDays(name: "x", offset: .random(in: -12...14, using: &random) * 3600, changes: changes)
            let moment = Self.midnight + .random(in: -200_000...80_000_000, using: &random)
            let day = days.day(of: moment)
            #expect(days.start(of: day) <= moment, random.comment)
            // Clocks that are set back by hours may show the day before once more; nobody is in two days.
            #expect(days.day(of: days.start(of: day)) >= day, random.comment)
        }
    }

    @Test func `Times at the ends of what can be counted do no harm`() {
        for moment in [Int64.min, .max, 0] { _ = (Self.montreal.day(of: moment), Self.montreal.text(moment)) }
    }

    @Test func `What is written as a day is whole, and what is written as a time is an instant`() throws {
        let day = try #require(DayOrTime("2026-11-02"))
        #expect(day == .day(Self.number))
        #expect(day.start(in: Self.montreal) == Self.midnight + 5 * 3600)
        #expect(day.end(in: Self.montreal) == Self.midnight + 29 * 3600)
        let time = try #require(DayOrTime("2026-11-02T00:00:00Z"))
        #expect(time.start(in: Self.montreal) == Self.midnight && time.end(in: Self.montreal) == Self.midnight)
        #expect(DayText.text(Self.number) == "2026-11-02")
    }

    @Test(arguments: ["", "2026-11-31", "2026-1-2", "22.11.2026", "2026-11-02T09:30", "yesterday", "20261102"])
    func `Anything else is neither`(text: String) {
        #expect(DayOrTime(text) == nil)
    }

    @Test func `A day in place of the present is its beginning, and today is the present`() {
        let days = Self.montreal
        let noon = days.start(of: 20_784) + 43_200
        #expect(DayOrTime.day(20_783).present(clock: noon, in: days) == days.start(of: 20_783))
        #expect(DayOrTime.day(20_784).present(clock: noon, in: days) == noon)
        #expect(DayOrTime.day(20_785).present(clock: noon, in: days) == days.start(of: 20_785))
        #expect(DayOrTime.time(noon - 1).present(clock: noon, in: days) == noon - 1)
    }
}
