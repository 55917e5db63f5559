import Attendance
import OperatorText
import Pages
import Testing

@testable import MatcherDaemon

@Suite("Forms and problems of attendance") struct AttendanceFormTests {
    @Test func `A correction needs a status that can be set, and a reason on one line`() {
        let draft = CorrectionDraft(student: "ann", ["status": "excused", "reason": "  was ill "])
        #expect(draft.status == .excused)
        #expect(draft.reason == "was ill")
        #expect(draft.problem == nil)
        for (status, reason) in [
            ("unknown", "ill"), ("", "ill"), ("excused", ""), ("excused", " \t"), ("excused", "a\nb"),
            ("excused", String(repeating: "x", count: 501)),
        ] {
            let draft = CorrectionDraft(student: "ann", ["status": status, "reason": reason])
            #expect(draft.problem?.hasPrefix("Nothing was saved.") == true, "\(status) \(reason)")
            #expect(draft.typed == reason)
        }
        #expect(CorrectionDraft(student: "ann", [:]).problem != nil)
    }

    @Test func `Lecturers see where a file is damaged, and officers also what is there`() {
        let error = AttendanceFileError(
            path: "/data/roster.csv",
            problems: [ConfigurationProblem(location: "line 7", found: "found \"Ann\"", allowed: "must be a name")])
        #expect(AttendanceTrouble(error, showsContents: false).problems == ["roster.csv: line 7"])
        #expect(
            AttendanceTrouble(error, showsContents: true).problems
                == ["roster.csv: line 7: found \"Ann\"; must be a name"])
    }

    @Test func `Of many problems the first are listed, and the others counted`() {
        let problem = ConfigurationProblem(location: "line 1", found: "is empty", allowed: "must be a name")
        let error = AttendanceFileError(path: "r.csv", problems: Array(repeating: problem, count: 70))
        let trouble = AttendanceTrouble(error, showsContents: false)
        #expect(trouble.problems.count == 50)
        #expect(trouble.others == "Not listed: 20 more.")
    }

    @Test func `Days have their weekday, and spans over midnight both days`() {
        let words = DayWords(days: .utc)
        // 2026-11-02T08:00:00Z.
        let start: Int64 = 1_793_606_400
        #expect(words.span(start, start + 5400) == "Mon 2026-11-02, 08:00 to 09:30")
        #expect(words.span(start, start + 86_400) == "Mon 2026-11-02, 08:00 to Tue 2026-11-03 08:00")
        #expect(words.day(0) == "Thu 1970-01-01")
    }
}
