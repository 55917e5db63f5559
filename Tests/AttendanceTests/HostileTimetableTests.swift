import Attendance
import TestValues
import Testing
import Timetables

/// Files that are damaged, or made to be.
@Suite(.timeLimit(.minutes(10))) struct HostileTimetableTests {
    private static let event = "UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H"

    @Test(
        "A mistake in an event is said with its line",
        arguments: [
            ("DTSTART:20261020T100000Z\nDURATION:PT1H", "has no UID; must have 1 to 255 bytes"),
            ("UID:a\nDURATION:PT1H", "has no DTSTART; must have a start time"),
            ("UID:a\nDTSTART:2026abc\nDURATION:PT1H", "DTSTART is \"2026abc\"; must be as in RFC 5545"),
            ("UID:a\nDTSTART:20261020T100000Z\nDTEND:x", "DTEND is \"x\"; must be as in RFC 5545"),
            ("UID:a\nDTSTART:20261020T100000Z\nDTEND:20261020T090000Z", "ends before it begins"),
            (
                "UID:a\nDTSTART;TZID=Nowhere/Land:20261020T100000\nDURATION:PT1H",
                "DTSTART is in the zone \"Nowhere/Land\", which neither the file nor this system has"
            ),
            ("UID:a\nDTSTART:19000101T100000Z\nDURATION:PT1H", "DTSTART is out of range; must be from 1970 to 2200"),
            (event + "\nRRULE:FREQ=NEVER", "RRULE is \"FREQ=NEVER\""),
            (event + "\nRRULE:FREQ=SECONDLY", "RRULE repeats more often than daily"),
            (event + "\nRRULE:FREQ=HOURLY;COUNT=2", "RRULE repeats more often than daily"),
            (event + "\nRRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5", "RRULE names 5 times of a day and 0 days"),
            (event + "\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "RRULE gives no repetition at all"),
            (event + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE is invalid"),
            (event + "\nEXRULE:FREQ=DAILY", "has an EXRULE"),
            (event + "\nRDATE;VALUE=PERIOD:20261021T100000Z/PT1H", "RDATE is a period"),
            (event + "\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261020T100000Z", "RECURRENCE-ID has a RANGE"),
        ])
    func mistake(event: String, problem: String) {
        let problems = Calendar.problems(Calendar.text(["UID:x\nDTSTART:20261019T100000Z\nDURATION:PT1H", event]))
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix("line 9: " + problem) == true, "\(problems)")
    }

    @Test(
        "What libical would understand as something else is refused, with its line",
        arguments: [
            ("DTSTART:20261020T110000Z", "is a second DTSTART of one event; must be the only one"),
            ("uid:b", "is a second UID of one event"), ("STATUS:CANCELED", "STATUS is \"CANCELED\"; must be TENTATIVE"),
            ("DTEND:20261020T110000Z", "has DTEND and DURATION; must have only one of them"),
            ("EXDATE:20261131T100000Z", "EXDATE is \"20261131T100000Z\", which is not a valid date"),
            ("RDATE:20261021T100000Z,20261022T250000Z", "RDATE is \"20261022T250000Z\", which is not a valid"),
            ("RRULE:FREQ=DAILY;UNTIL=20270229T000000Z", "UNTIL is \"20270229T000000Z\", which is not a valid"),
        ])
    func understoodOtherwise(line: String, problem: String) {
        let problems = Calendar.problems(Calendar.text([Self.event + "\n" + line]))
        #expect(problems.count == 1 && problems[0].hasPrefix("line 8: " + problem), "\(problems)")
    }

    @Test(
        "A duration is as RFC 5545 has it",
        arguments: [
            ("PT1H", true), ("PT90M", true), ("P1D", true), ("PT1H30M15S", true), ("P0DT1H", true),
            ("PT1H30", false), ("PT", false), ("P", false), ("1H", false), ("PT1M1H", false), ("", false),
        ])
    func duration(text: String, isRight: Bool) {
        let problems = Calendar.problems(Calendar.text(["UID:a\nDTSTART:20261020T100000Z\nDURATION:\(text)"]))
        #expect(problems.isEmpty == isRight, "\(problems)")
    }

    @Test func `Exceptions and changes that meet no repetition are noted`() throws {
        let rule = "RRULE:FREQ=DAILY;COUNT=3"
        let moved = "UID:a\nRECURRENCE-ID:20261021T080000Z\nDTSTART:20261021T140000Z\nDURATION:PT1H"
        let timetable = try Calendar.parse(
            Calendar.text([Self.event + "\n\(rule)\nEXDATE:20261021T100000Z,20261022T080000Z", moved]))
        #expect(timetable.lectures.count == 3)
        #expect(
            timetable.notes.map(\.description) == [
                "t.ics: line 4: EXDATE 2026-10-22T08:00:00Z matches no repetition",
                "t.ics: line 11: RECURRENCE-ID 2026-10-21T08:00:00Z matches no repetition",
            ])
    }

    @Test func `Every mistake of a file is said, and nothing of it is taken`() {
        let problems = Calendar.problems(Calendar.text(["UID:a\nDTSTART:x", Self.event, "DTSTART:20261020T100000Z"]))
        #expect(problems.map { $0.prefix(8) } == ["line 4: ", "line 13:"])
    }

    @Test(
        "A file that is none is said to be none",
        arguments: [
            ("", "file: has no BEGIN:VCALENDAR"), ("hello", "file: has no BEGIN:VCALENDAR"),
            ("BEGIN:VEVENT\nEND:VEVENT", "line 1: BEGIN:VEVENT is outside a calendar"),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a", "line 2: BEGIN:VEVENT has no END: the file is truncated"),
            ("BEGIN:VCALENDAR\nEND:VEVENT", "line 2: END:VEVENT does not match the last BEGIN"),
            ("BEGIN:VCALENDAR\u{0}", "file: is not UTF-8 text"),
            (
                String(repeating: "BEGIN:VCALENDAR\n", count: 20),
                "line 9: has 9 nested components; must have at most 8"
            ),
        ])
    func noCalendar(text: String, problem: String) {
        #expect(Calendar.problems(text).first?.hasPrefix(problem) == true, "\(Calendar.problems(text))")
    }

    @Test func `A file that is too long is refused before it is read`() {
        let events = (0..<100_000).map { "UID:\($0)\nDTSTART:20261020T100000Z\nDURATION:PT1H" }
        let problems = Calendar.problems(Calendar.text(events))
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix("must have at most 1048576: export less of it") == true)
    }

    @Test func `More events than a timetable has are refused`() {
        let problems = Calendar.problems(Calendar.text((0...10_000).map { "UID:\($0)" }))
        #expect(problems == ["file: has 10001 events; must have at most 10000: export less of it"])
    }

    @Test(
        "A property of more parameters than any has is refused before it is read",
        arguments: ["", ";X=\":\"", ";X=a\\:", ";\"X=a"])
    func parameters(first: String) {
        let count = 101 - (first.isEmpty ? 0 : 1)
        let start = "DTSTART" + first + String(repeating: ";A=B", count: count) + ":20261020T100000Z"
        let problems = Calendar.problems(Calendar.text(["UID:a\n\(start)\nDURATION:PT1H"]))
        #expect(problems == ["line 6: has 101 parameters; must have at most 100"])
    }

    @Test(
        "What only looks like parameters isn't counted",
        arguments: ["DESCRIPTION:", "DESCRIPTION;LANGUAGE=en:", "X-NOTE;X-A=\"", "X-NOTE:\""])
    func noParameters(start: String) {
        let text = start + String(repeating: ";A=B", count: 200) + (start.hasSuffix("\"") ? "\":c" : "")
        #expect(Calendar.problems(Calendar.text([Self.event + "\n\(text)"])) == [])
    }

    // Each searches until 2582 in vain, the second one before it gives anything at all, and there are thousands.
    @Test(arguments: ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-366"])
    func `Rules that take long are given up together`(rule: String) {
        let events = (0..<5000).map {
            "UID:\($0)\nDTSTART:20261020T100000Z\nDURATION:PT1H\nRRULE:\(rule)"
        }
        let problems = Calendar.problems(Calendar.text(events))
        #expect(problems.count < 20)
        #expect(problems.last?.contains("take too long to evaluate") == true, "\(problems)")
    }

    // libical had left out what is beyond 500, so that lectures took place that were cancelled.
    @Test(arguments: ["EXDATE", "rdate;VALUE=DATE-TIME"])
    func `A line with more dates than are read is a mistake`(name: String) {
        let dates = Array(repeating: "20261021T100000Z", count: 501)
        func problems(_ count: Int) -> [String] {
            let line = "\(name):" + dates.prefix(count).joined(separator: ",")
            return Calendar.problems(
                Calendar.text(["UID:1\nDTSTART:20261020T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=9\n\(line)"]))
        }
        #expect(problems(500) == [])
        #expect(problems(501).first?.contains("has 501 dates; must have at most 500") == true, "\(problems(501))")
    }

    // libical's sum of 32 bits had been one hour: "1 lecture", from 10 to 11.
    @Test func `A duration is as long as it says`() throws {
        let timetable = try Calendar.parse(
            Calendar.text(["UID:1\nDTSTART:20261020T100000Z\nDURATION:P49710DT7H28M16S"]))
        #expect(timetable.lectures.isEmpty)
        #expect(timetable.notes.contains { "\($0)".contains("more than a day") }, "\(timetable.notes)")
        let problems = Calendar.problems(
            Calendar.text(["UID:1\nDTSTART:20261020T100000Z\nDURATION:PT4294970896S"]))
        #expect(problems.first?.contains("must have numbers of 8 digits at most") == true, "\(problems)")
    }

    @Test func `Thousands of rules without an end are bounded`() {
        let events = (0..<5000).map {
            "UID:\($0)\nDTSTART:19700101T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY"
        }
        let problems = Calendar.problems(Calendar.text(events))
        #expect(problems.last?.contains("take too long to evaluate") == true, "\(problems)")
    }

    @Test func `A zone with a rule for every second isn't worked out`() {
        let zone =
            "BEGIN:VTIMEZONE\r\nTZID:Bad\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\n"
            + "TZOFFSETTO:+0100\r\nRRULE:FREQ=SECONDLY\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        let problems = Calendar.problems(
            Calendar.text(["UID:a\nDTSTART;TZID=Bad:20261020T100000\nDURATION:PT1H"], zones: zone))
        #expect(problems.first?.hasPrefix("file: a VTIMEZONE has an unsupported rule") == true, "\(problems)")
    }

    /// A file with everything that is read.
    private static let full = Calendar.text([
        "UID:a\nDTSTART;TZID=Europe/Berlin:20261020T100000\nDTEND;TZID=Europe/Berlin:20261020T113000\n"
            + "RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261201T000000Z\nEXDATE;TZID=Europe/Berlin:20261022T100000\n"
            + "RDATE;TZID=Europe/Berlin:20261023T100000\nSUMMARY:Algorithms\nLOCATION:HB 2.11\nCATEGORIES:A,B\nSEQUENCE:2",
        "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261027T100000\nDTSTART:20261027T120000Z\nDURATION:PT1H",
    ])

    @Test func `Wherever a file is cut off, it is refused`() {
        let bytes = Array(Self.full.utf8)
        for length in 0..<bytes.count - 2 {
            #expect(throws: AttendanceFileError.self, "\(length) bytes") {
                try Timetable.parse(Array(bytes[..<length]), file: "t.ics", zone: nil, span: At.span)
            }
        }
    }

    @Test func `Damaged files are refused or read, and nothing else happens`() {
        var random = SeededGenerator("hostile timetables")
        let pieces = [
            "\r\n", ":", ";", ",", "=", "9999999999", "-1", "\u{FEFF}", "FREQ=YEARLY", "BYDAY=-54SU", "BYSETPOS=366",
            "COUNT=1", "INTERVAL=32767", "TZID=", "VALUE=DATE", "T", "Z", "P", "\"", "\\n", " ", "BYWEEKNO=53",
        ]
        for _ in 0..<3000 {
            var bytes = Array(Self.full.utf8)
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 1...127, using: &random)
                case 1: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
                }
            }
            let lectures = try? Timetable.parse(bytes, file: "t.ics", zone: nil, span: At.span).lectures
            for lecture in lectures ?? [] {
                #expect(lecture.length > 0 && lecture.length <= At.day, random.comment)
                #expect(lecture.end >= At.span.lowerBound && lecture.start <= At.span.upperBound, random.comment)
            }
        }
    }

    @Test func `Bytes by chance are refused`() {
        var random = SeededGenerator("bytes for a timetable")
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...5000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(throws: AttendanceFileError.self, random.comment) {
                try Timetable.parse(bytes, file: "t.ics", zone: nil, span: At.span)
            }
        }
    }
}
