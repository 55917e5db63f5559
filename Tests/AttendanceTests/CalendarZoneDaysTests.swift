import OperatorText
import TestValues
import Testing
import Timetables

@Suite("Days of the system's time zones") struct CalendarZoneDaysTests {
    @Test(arguments: ["America/Montreal", "Europe/Berlin", "Asia/Kathmandu", "America/Santiago", "Africa/Casablanca"])
    func `Days and clocks are those of the zone`(name: String) throws {
        let zone = try #require(CalendarZone(name))
        let days = zone.days
        var random = SeededGenerator("days of \(name)")
        for _ in 0..<300 {
            // 2001 to 2035.
            let moment = Int64.random(in: 980_000_000...2_050_000_000, using: &random)
            #expect(days.text(moment) == zone.text(moment), random.comment)
            #expect(DayText.text(days.day(of: moment)) == zone.text(moment).prefix(10), random.comment)
            #expect(zone.text(days.start(of: days.day(of: moment))).prefix(10) == zone.text(moment).prefix(10))
        }
    }

    // 2026-11-01, 02:00: back to 01:00; so the day has 25 hours. 2026-11-02T05:00:00Z is midnight.
    @Test func `A day in Montreal begins at its midnight`() throws {
        let days = try #require(CalendarZone("America/Montreal")).days
        #expect(days.start(of: 20_759) == 1_793_577_600 + 5 * 3600)
        #expect(days.start(of: 20_759) - days.start(of: 20_758) == 25 * 3600)
    }
}
