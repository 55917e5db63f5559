import Attendance
import OperatorText
import Testing
import Timetables

@Suite("Timetables") struct TimetableTests {
    private static let berlin =
        "UID:a\nDTSTART;TZID=Europe/Berlin:20261020T100000\nDTEND;TZID=Europe/Berlin:20261020T113000\n"

    @Test func `An event with a room is a lecture`() throws {
        let timetable = try Calendar.parse(
            Calendar.text([Self.berlin + "SUMMARY:INF-101 Algorithms\nLOCATION:HB  2.11\nCATEGORIES:INF-101,Lecture"]))
        #expect(
            timetable.lectures == [
                Lecture(
                    id: "a", course: "INF-101 Algorithms", title: "INF-101 Algorithms", room: "HB 2.11",
                    start: At.tuesday, end: At.tuesday + 5400)
            ])
        #expect(timetable.notes.isEmpty)
    }

    @Test func `The course can be the first category`() throws {
        let text = Calendar.text([
            Self.berlin + "SUMMARY:Algorithms\nCATEGORIES:INF-101,Lecture",
            Self.berlin.replacing("UID:a", with: "UID:b") + "SUMMARY:Analysis",
        ])
        let lectures = try Calendar.parse(text, course: .categories).lectures
        #expect(lectures.map(\.course) == ["INF-101", "Analysis"])
        #expect(lectures.map(\.title) == ["Algorithms", "Analysis"])
    }

    @Test func `The end of summer time moves a weekly lecture in UTC and not in Berlin`() throws {
        // Berlin is two hours ahead until 2026-10-25, 03:00, and one hour ahead after it.
        let starts = try Calendar.starts([Self.berlin + "RRULE:FREQ=WEEKLY;COUNT=3"])
        #expect(starts == ["2026-10-20T08:00:00Z", "2026-10-27T09:00:00Z", "2026-11-03T09:00:00Z"])
    }

    @Test func `A lecture in the night in which the clocks go back is as long as the others`() throws {
        // 01:30 to 03:30 on the 24th is two hours; on the 25th, 02:00 to 03:00 comes twice.
        let lectures = try Calendar.parse(
            Calendar.text([
                "UID:n\nDTSTART;TZID=Europe/Berlin:20261024T013000\nDTEND;TZID=Europe/Berlin:20261024T033000\n"
                    + "RRULE:FREQ=DAILY;COUNT=2"
            ])
        ).lectures
        #expect(lectures.map { InstantText.utc($0.start) } == ["2026-10-23T23:30:00Z", "2026-10-24T23:30:00Z"])
        #expect(lectures.map(\.length) == [7200, 7200])
    }

    @Test func `A lecture over midnight is one`() throws {
        let lectures = try Calendar.parse(
            Calendar.text(["UID:m\nDTSTART:20261020T230000Z\nDURATION:PT2H\nSUMMARY:Astronomy"])
        ).lectures
        #expect(lectures.map { InstantText.utc($0.end) } == ["2026-10-21T01:00:00Z"])
    }

    @Test func `A zone that the file brings along is taken`() throws {
        let zone =
            "BEGIN:VTIMEZONE\r\nTZID:Own\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0600\r\n"
            + "TZOFFSETTO:+0500\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\n"
            + "DTSTART:16010101T020000\r\nTZOFFSETFROM:+0500\r\nTZOFFSETTO:+0600\r\n"
            + "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
        let starts = try Calendar.starts(
            ["UID:z\nDTSTART;TZID=Own:20261020T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2"], zones: zone)
        #expect(starts == ["2026-10-20T04:00:00Z", "2026-10-27T05:00:00Z"])
    }

    @Test func `A time without a zone is of the zone that is configured`() throws {
        let event = "UID:f\nDTSTART:20261020T100000\nDURATION:PT1H"
        #expect(try Calendar.starts([event], zone: "Europe/Berlin") == ["2026-10-20T08:00:00Z"])
        #expect(try Calendar.starts([event], zone: "America/New_York") == ["2026-10-20T14:00:00Z"])
        #expect(
            Calendar.problems(Calendar.text([event])) == [
                "line 4: DTSTART has no time zone; set the time zone of such times in site.time-zone"
            ])
    }

    @Test func `Exceptions and further dates of a rule are followed`() throws {
        let starts = try Calendar.starts([
            Self.berlin + "RRULE:FREQ=WEEKLY;UNTIL=20261110T090000Z\nEXDATE;TZID=Europe/Berlin:20261027T100000\n"
                + "RDATE;TZID=Europe/Berlin:20261022T140000,20261023T140000"
        ])
        #expect(
            starts == [
                "2026-10-20T08:00:00Z", "2026-10-22T12:00:00Z", "2026-10-23T12:00:00Z", "2026-11-03T09:00:00Z",
                "2026-11-10T09:00:00Z",
            ])
    }

    @Test(
        "The last day of a rule is its own zone's",
        arguments: [
            ("20261103T085959Z", 2), ("20261103T090000Z", 3), ("20261103", 3), ("20261102", 2),
            ("20261103T100000", 3),
        ])
    func until(text: String, count: Int) throws {
        #expect(try Calendar.starts([Self.berlin + "RRULE:FREQ=WEEKLY;UNTIL=" + text]).count == count)
    }

    @Test func `An exception of a whole day is the day of the lecture's zone`() throws {
        // 00:30 in Berlin is on the day before in UTC.
        let starts = try Calendar.starts([
            "UID:d\nDTSTART;TZID=Europe/Berlin:20261020T003000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\n"
                + "EXDATE;VALUE=DATE:20261021"
        ])
        #expect(starts == ["2026-10-19T22:30:00Z", "2026-10-21T22:30:00Z"])
    }

    @Test func `A repetition that was moved keeps its name, and one that was cancelled is gone`() throws {
        let changes = [
            "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261027T100000\nDTSTART;TZID=Europe/Berlin:20261028T140000\n"
                + "DURATION:PT45M\nSUMMARY:Algorithms\nLOCATION:Aula",
            "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261103T100000\nDTSTART;TZID=Europe/Berlin:20261103T100000\n"
                + "DURATION:PT90M\nSTATUS:CANCELLED",
        ]
        let series = Self.berlin + "RRULE:FREQ=WEEKLY;COUNT=4\nSUMMARY:Algorithms\nLOCATION:HB 2.11"
        for events in [[series] + changes, changes + [series]] {
            let lectures = try Calendar.parse(Calendar.text(events)).lectures
            #expect(
                lectures.map(\.id) == [
                    "a/2026-10-20T08:00:00Z", "a/2026-10-27T09:00:00Z", "a/2026-11-10T09:00:00Z",
                ])
            #expect(lectures.map(\.room) == ["HB 2.11", "Aula", "HB 2.11"])
            #expect(InstantText.utc(lectures[1].start) == "2026-10-28T13:00:00Z")
            #expect(lectures[1].length == 2700)
        }
    }

    @Test func `Of two versions of an event the later one counts`() throws {
        let old = Self.berlin + "SEQUENCE:1\nLOCATION:Old"
        let new = Self.berlin + "SEQUENCE:2\nLOCATION:New"
        for events in [[old, new], [new, old]] {
            #expect(try Calendar.parse(Calendar.text(events)).lectures.map(\.room) == ["New"])
        }
        #expect(try Calendar.starts([old, new + "\nSTATUS:CANCELLED"]).isEmpty)
        #expect(
            Calendar.problems(Calendar.text([old, old])) == [
                "line 11: UID \"a\" and SEQUENCE are those of the event on line 4; must be unique"
            ])
    }

    @Test func `What is no lecture is left out and said`() throws {
        let timetable = try Calendar.parse(
            Calendar.text([
                "UID:a\nDTSTART;VALUE=DATE:20261020\nSUMMARY:Holiday",
                "UID:b\nDTSTART:20261020T100000Z\nSUMMARY:Reminder",
                "UID:c\nDTSTART:20261020T100000Z\nDURATION:P3D\nSUMMARY:Conference",
            ]))
        #expect(timetable.lectures.isEmpty)
        #expect(
            timetable.notes.map(\.description) == [
                "t.ics: line 4: an all-day event is not a lecture: \"Holiday\"",
                "t.ics: line 9: an event without a duration is not a lecture: \"Reminder\"",
                "t.ics: line 14: an event of more than a day is not a lecture: \"Conference\"",
            ])
    }

    @Test func `A rule without an end gives what is within the span`() throws {
        // 30 days after 2026-10-20 from then on, at 09:00 UTC from the 25th on: that of 11-19 begins an hour too late.
        let starts = try Calendar.starts([Self.berlin + "RRULE:FREQ=DAILY"])
        #expect(starts.count == 30)
        #expect(starts.last == "2026-11-18T09:00:00Z")
    }

    @Test func `Several calendars in one file, and empty properties, are nothing wrong`() throws {
        let one = Calendar.text([Self.berlin + "DESCRIPTION:\nLOCATION:\nSUMMARY:One"])
        let two = Calendar.text(["UID:b\nDTSTART:20261021T100000Z\nDURATION:PT1H\nSUMMARY:Two"])
        let lectures = try Calendar.parse(one + two).lectures
        #expect(lectures.map(\.title) == ["One", "Two"])
        #expect(lectures.map(\.room) == [nil, nil])
    }

    @Test func `Lectures of a time are those that have a part in it`() throws {
        let timetable = Timetable(lectures: [
            Lecture(id: "a", course: "A", title: "A", room: nil, start: 100, end: 200),
            Lecture(id: "b", course: "B", title: "B", room: nil, start: 200, end: 300),
        ])
        #expect(timetable.lectures(from: 150, to: 160).map(\.id) == ["a"])
        #expect(timetable.lectures(from: 200, to: 201).map(\.id) == ["b"])
        #expect(timetable.lectures(from: 0, to: 100).isEmpty)
        #expect(timetable.lecture("b")?.start == 200)
    }

    @Test func `A zone shows the time of its clocks`() throws {
        let berlin = try #require(CalendarZone("Europe/Berlin"))
        #expect(berlin.text(At.tuesday) == "2026-10-20 10:00")
        #expect(berlin.text(At.tuesday + 7 * At.day) == "2026-10-27 09:00")
        #expect(CalendarZone.utc(At.tuesday) == "2026-10-20 08:00Z")
        #expect(CalendarZone("Nowhere/Land") == nil)
        #expect(CalendarZone("../../etc/passwd") == nil)
    }
}
