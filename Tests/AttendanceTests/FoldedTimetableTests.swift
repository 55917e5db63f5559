import Attendance
import Testing

/// What is counted before libical reads a file is what libical finds in it.
@Suite(.timeLimit(.minutes(10))) struct FoldedTimetableTests {
    private static let event = "UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H\n"

    private static func within(_ lines: String) -> String { "BEGIN:VCALENDAR\n" + lines + "END:VCALENDAR\n" }

    @Test("Components within each other are counted when their lines are folded", arguments: ["\n ", "\n\t", "\r\n "])
    func depth(fold: String) {
        let begin = "BEG" + fold + "IN:X-A\n"
        let end = "E" + fold + "ND:X-A\n"
        let text = Self.within(String(repeating: begin, count: 20_000) + String(repeating: end, count: 20_000))
        #expect(Calendar.problems(text) == ["line 16: has 9 nested components; must have at most 8"])
    }

    @Test func `Events are counted when their lines are folded`() {
        let events = String(repeating: "BEG\n IN:VEVENT\nEN\n D:VEVENT\n", count: 10_001)
        let problems = Calendar.problems(Self.within(events))
        #expect(problems == ["file: has 10001 events; must have at most 10000: export less of it"])
    }

    @Test func `Folded lines are read, and a mistake has the line on which its event begins`() throws {
        let folded =
            "X-A:1\n 2\nBEGI\r\n N:VEVENT\nUID:a\nDTST\n\tART:20261020T100\n 000Z\nDURATION:PT1H\nEND:\n VEVENT\n"
        #expect(try Calendar.parse(Self.within(folded)).lectures.count == 1)
        let problems = Calendar.problems(Self.within("X-A:1\n 2\nBEG\n IN:VEVENT\nUID:a\nEND:VEVENT\n"))
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("line 4: has no DTSTART") == true, "\(problems)")
    }

    @Test(
        "A beginning or an end which libical would take for one and which isn't written as one is refused",
        arguments: [
            "BEGIN;A=1:X-A", "BEGIN :X-A", "begin\t:X-A", "BEGIN: X-A", "BEGIN:", "BEGIN", "BEGIN:X A", "BEGIN:VEVENTS",
            "END;A=1:X-A", "END :X-A", "End:", "END;", "BEG\n IN;A=1:X-A",
        ])
    func mark(line: String) {
        let problems = Calendar.problems(Self.within(line + "\n"))
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("line 2: found \"") == true, "\(problems)")
    }

    @Test func `A mark of UTF-8 within the file makes no end of a component`() {
        let text = Self.within(String(repeating: "BEGIN:X-A\n\u{FEFF}END:X-A\n", count: 1000))
        #expect(Calendar.problems(text) == ["line 16: has 9 nested components; must have at most 8"])
    }

    @Test func `A line that goes on with an empty one doesn't go on with the one before`() throws {
        let lines = String(repeating: "BEG\n\n  IN:X-A\n", count: 100)
        let text = Self.within(lines + "BEGIN:VEVENT\n" + Self.event + "END:VEVENT\n")
        #expect(try Calendar.parse(text).lectures.count == 1)
    }

    @Test func `Lower case and spaces at the end of a line make no difference`() throws {
        let text = "begin:vcalendar \r\nBegin:vEvent\t\r\n" + Self.event + "end:vevent\r\nend:vcalendar"
        #expect(try Calendar.parse(text).lectures.count == 1)
    }

    @Test func `A line that ends with CR alone ends nothing`() {
        let text = "BEGIN:VCALENDAR\rBEGIN:VEVENT\rEND:VEVENT\rEND:VCALENDAR\r"
        #expect(Calendar.problems(text).first?.hasPrefix("line 1: found \"BEGIN:VCALENDAR?") == true)
    }
}
