import Attendance
import Matching
import Testing

@Suite("Attendance reports") struct AttendanceReportTests {
    private static let rules = AttendanceRules()

    private static func lecture(_ number: Int64, course: String = "A", room: String? = "R") -> Lecture {
        let start = At.tuesday + number * At.day
        return Lecture(id: "\(course)\(number)", course: course, title: "", room: room, start: start, end: start + 5400)
    }

    private static func stay(_ subject: Int64, _ lecture: Lecture, _ minutes: ClosedRange<Int64>) -> Stay {
        Stay(
            subject: subject, place: 1, start: lecture.start + minutes.lowerBound * 60,
            end: lecture.start + minutes.upperBound * 60, distance: .init(centimetres: 100, lower: 50, upper: 200))
    }

    private static func roster() throws -> Roster {
        try RosterFile.parse(
            Array("course,student,subject\nA,ann,phone:1\nA,ann,phone:2\nA,ben,phone:3\nB,ben,phone:3\n".utf8),
            file: "r")
    }

    private static func numbers() throws -> [SubjectIdentity: Int64] {
        var numbers: [SubjectIdentity: Int64] = [:]
        for number in 1...3 as ClosedRange<Int64> {
            numbers[try #require(SubjectIdentity("phone:\(number)"))] = number
        }
        return numbers
    }

    @Test func `Percentages are of the lectures that are over, known and not excused`() throws {
        let lectures = (0..<5).map { Self.lecture($0) }
        // Ann: present, late, absent, unknown (nobody was heard), and the last isn't over.
        // Ben: absent, excused, present, unknown.
        let stays = [
            Self.stay(1, lectures[0], 0...90), Self.stay(2, lectures[1], 30...90), Self.stay(3, lectures[2], 0...90),
            Self.stay(1, lectures[4], 0...90),
        ]
        let excused = Correction(
            lecture: "A1", student: "ben", at: At.tuesday, by: "Dean", reason: "ill", from: .absent, to: .excused)
        let entries = try lectures.flatMap { lecture in
            AttendanceSheet(
                lecture: lecture, radius: 600,
                stays: stays.filter { $0.start < lecture.end && $0.end >= lecture.start }
            ).entries(
                of: try Self.roster().students(of: "a"), numbers: try Self.numbers(),
                corrections: lecture.id == "A1" ? ["ben": [excused]] : [:], rules: Self.rules)
        }
        let report = AttendanceReport(entries.reversed(), now: lectures[4].end - 1)
        #expect(
            report.entries.map { "\($0.lecture.id) \($0.student.id) \($0.status.rawValue)" } == [
                "A0 ann present", "A0 ben absent", "A1 ann late", "A1 ben excused", "A2 ann absent", "A2 ben present",
                "A3 ann unknown", "A3 ben unknown",
            ])
        let ann = try #require(report.students.first).tally
        #expect([ann.attended, ann.held, ann.late, ann.unknown] == [2, 3, 1, 1])
        // 2 of 3, and 1 of 2; together 3 of 5.
        #expect(ann.percent.map { ($0 * 10).rounded() / 10 } == 66.7)
        #expect(report.students.last?.tally.percent == 50)
        #expect(report.courses.map(\.tally.percent) == [60])
        #expect(AttendanceReport(entries, now: At.tuesday).courses.isEmpty)
    }

    @Test func `The last correction counts, and all of them are kept`() throws {
        let lecture = Self.lecture(0)
        let corrections = [AttendanceStatus.present, .absent].map {
            Correction(lecture: "A0", student: "ann", at: 1, by: "x", reason: "y", from: .unknown, to: $0)
        }
        let entries = AttendanceSheet(lecture: lecture, radius: 600, stays: []).entries(
            of: try Self.roster().students(of: "A"), numbers: [:], corrections: ["ann": corrections], rules: Self.rules)
        #expect(entries[0].status == .absent)
        #expect(entries[0].verdict.status == .unknown)
        #expect(entries[0].corrections.count == 2)
        #expect(entries[1].status == .unknown)
    }

    @Test func `A room that isn't configured, and a time of which nothing is kept, are said`() throws {
        let students = try Self.roster().students(of: "B")
        func reasons(_ lecture: Lecture, radius: Int64?, isKept: Bool = true) throws -> [AttendanceVerdict.Reason] {
            AttendanceSheet(lecture: lecture, radius: radius, stays: [], isKept: isKept)
                .entries(of: students, numbers: try Self.numbers(), rules: Self.rules).flatMap(\.verdict.reasons)
        }
        #expect(try reasons(Self.lecture(0, course: "B"), radius: nil) == [.roomNotConfigured("R")])
        #expect(try reasons(Self.lecture(0, course: "B", room: nil), radius: nil) == [.noRoom])
        #expect(try reasons(Self.lecture(0, course: "B"), radius: 600, isKept: false) == [.expired])
        #expect(try reasons(Self.lecture(0, course: "B"), radius: 600) == [.roomSilent])
        // Half of what was heard may be deleted already.
        let sheet = AttendanceSheet(
            lecture: Self.lecture(0, course: "B"), radius: 600,
            stays: [Self.stay(3, Self.lecture(0, course: "B"), 80...90)], isKept: false)
        #expect(
            sheet.entries(of: students, numbers: try Self.numbers(), rules: Self.rules).map(\.status) == [.unknown])
    }
}
