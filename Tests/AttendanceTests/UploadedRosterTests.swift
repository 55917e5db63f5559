import Attendance
import Matching
import OperatorText
import Testing

@Suite("Rosters and timetables of several files") struct UploadedRosterTests {
    private func phone(_ id: String) throws -> SubjectIdentity {
        try #require(SubjectIdentity(kind: SubjectIdentity.phone, id: id))
    }

    private func row(
        _ course: String, _ student: String, _ subject: SubjectIdentity? = nil, name: String? = nil
    ) -> RosterRow { RosterRow(line: 2, course: course, student: student, subject: subject, name: name) }

    @Test("Rows that are written are read again") func text() throws {
        let rows = [
            row("Algebra \"I\", part; one", "s1", try phone("ann"), name: "Ann"), row("Algebra", "s2"),
            // One character with its combining mark, and still a quote in a file.
            row("Algebra", "s3", name: "Cleo \"\u{308}x"),
        ]
        let read = try RosterFile.rows(Array(RosterFile.text(of: rows).utf8), file: "r.csv")
        #expect(read.map(\.line) == [2, 3, 4])
        #expect(
            read.map { [$0.course, $0.student, $0.name ?? "-"] }
                == rows.map { [$0.course, $0.student, $0.name ?? "-"] })
        #expect(read.map(\.subject) == rows.map(\.subject))
    }

    @Test("A row whose device was erased keeps the student, and the latest time of a course counts") func erased()
        throws
    {
        let (ann, other) = (try phone("ann"), try phone("ann2"))
        let rows = [row("A", "s1", ann, name: "Ann"), row("A", "s1", other), row("A", "s2")]
        let left = rows.compactMap { $0.erasing(ann, at: 5) }.compactMap { $0.erasing(other, at: 7) }
        let read = try RosterFile.rows(Array(RosterFile.text(of: left).utf8), file: "r.csv")
        #expect(read.map(\.student) == ["s1", "s2"] && read.map(\.erasedAt) == [7, nil])
        #expect(read.map(\.name) == ["Ann", nil] && read.map(\.subject) == [nil, nil])
        let student = try #require(Roster([read]).student("s1"))
        #expect(student.erasedAt == 7 && student.subjects.isEmpty)
        #expect(row("A", "ann", ann).erasing(ann, at: 5) == nil)
        #expect(throws: AttendanceFileError.self) {
            try RosterFile.rows(Array("course,student,subject\nA,s1,erased:soon\n".utf8), file: "r.csv")
        }
    }

    @Test("A row names a subject by its device, or by the student") func names() throws {
        let (ann, other) = (try phone("ann"), try phone("ann2"))
        #expect(row("A", "s1", ann).names(ann) && row("A", "Phone:Ann").names(ann) && row("A", "ANN").names(ann))
        #expect(!row("A", "s1").names(ann) && !row("A", "s1", other).names(ann))
    }

    @Test("Of several files a later one decides whose a device is, and what a student is called") func several() throws
    {
        let roster = Roster([
            [row("A", "s1", try phone("x"), name: "Old")],
            [row("B", "s2", try phone("x")), row("B", "s1", name: "New")],
        ])
        #expect(roster.student("s1")?.subjects == [] && roster.student("s1")?.name == "New")
        let shared = try phone("x")
        #expect(roster.student(with: shared)?.id == "s2")
        #expect(roster.courseNames == ["A", "B"])
    }

    @Test("A roster that replaces courses leaves others, and takes devices with it") func replaced() throws {
        var roster = Roster([
            [
                row("Physics", "s1", try phone("a"), name: "Ann"), row("Physics", "s2", try phone("b")),
                row("Chemistry", "s1", try phone("a")), row("Chemistry", "s3", try phone("c")),
            ]
        ])
        roster.replaceCourses(
            by: Roster([[row("physics", "s1", try phone("d")), row("physics", "s4", try phone("c"))]]))
        #expect(roster.students(of: "Physics").map(\.id) == ["s1", "s4"])
        #expect(roster.students(of: "Chemistry").map(\.id) == ["s1", "s3"])
        let devices = [try phone("a"), try phone("d")]
        #expect(roster.student("s1")?.subjects == devices)
        #expect(roster.student("s1")?.name == "Ann")
        #expect(roster.student("s3")?.subjects == [])
        // Of no course any more.
        #expect(roster.student("s2") == nil)
    }

    @Test(
        "The UID of a lecture is that of its event",
        arguments: [
            ("a", "a"), ("a/2026-10-20T10:00:00Z", "a"), ("a/b", "a/b"), ("/2026-10-20T10:00:00Z", ""),
            ("a/2026-10-20T10:00:00", "a/2026-10-20T10:00:00"),
        ])
    func uid(_ id: String, _ uid: String) {
        #expect(Lecture(id: id, course: "", title: "", room: nil, start: 0, end: 1).uid == uid)
    }

    @Test("All lectures of an event are replaced together") func events() {
        func lecture(_ id: String, _ start: Int64) -> Lecture {
            Lecture(id: id, course: "A", title: "", room: nil, start: start, end: start + 60)
        }
        var timetable = Timetable(lectures: [
            lecture("a/2026-10-20T10:00:00Z", 0), lecture("a/2026-10-27T10:00:00Z", 100), lecture("b", 50),
        ])
        let replaced = timetable.replaceEvents(by: [Timetable(lectures: [lecture("a/2026-10-20T10:00:00Z", 10)])])
        #expect(replaced == [1])
        #expect(timetable.lectures.map(\.start) == [10, 50])
    }

    @Test("Of several timetables with one event the last one counts") func lastEvent() {
        func timetable(_ ids: [String], _ start: Int64) -> Timetable {
            Timetable(
                lectures: ids.map { Lecture(id: $0, course: "A", title: "", room: nil, start: start, end: start + 60) })
        }
        var first = timetable(["a", "b"], 0)
        let replaced = first.replaceEvents(by: [timetable(["a", "c"], 10), timetable(["c", "d"], 20)])
        #expect(replaced == [1, 1])
        #expect(first.lectures.map(\.id) == ["b", "a", "c", "d"])
        #expect(first.lectures.map(\.start) == [0, 10, 20, 20])
    }

    @Test("A roster in Latin-1 is told from one in UTF-8, with the line and how to save it") func latin1() {
        let bytes = Array("course,student,subject,name\nA,s1,,Ann\nA,s2,,J".utf8) + [0xFC] + Array("rgen\n".utf8)
        let error = #expect(throws: AttendanceFileError.self) { try RosterFile.rows(bytes, file: "r.csv") }
        let problem = error?.problems.first?.description ?? ""
        #expect(problem.hasPrefix("line 3: is not UTF-8 text, but Latin-1 or another encoding; must be CSV in UTF-8"))
        #expect(problem.contains("CSV UTF-8"))
    }
}
