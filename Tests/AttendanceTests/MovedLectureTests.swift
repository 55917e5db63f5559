import Matching
import Testing

@testable import Attendance

/// A lecture keeps its id when the timetable gives it another time.
@Suite("Lectures that were moved") struct MovedLectureTests {
    private static let rules = AttendanceRules()

    /// The lecture of 90 minutes on Tuesday, or days or minutes later.
    private static func lecture(days: Int64 = 0, minutes: Int64 = 0, length: Int64 = 90) -> Lecture {
        let start = At.tuesday + days * At.day + minutes * 60
        return Lecture(id: "a", course: "A", title: "", room: "R", start: start, end: start + length * 60)
    }

    /// A verdict on the lecture of Tuesday, from and to minutes after its start.
    private static func settled(
        _ status: AttendanceStatus, _ minutes: ClosedRange<Int64>? = 0...90, isTimed: Bool = true
    ) -> SettledVerdict {
        let first = minutes.map { At.tuesday + $0.lowerBound * 60 }
        let last = minutes.map { At.tuesday + $0.upperBound * 60 }
        return SettledVerdict(
            lecture: "a", student: "ann", time: isTimed ? LectureTime(lecture()) : nil, status: status,
            dwell: (last ?? 0) - (first ?? 0), firstSeen: first, lastSeen: last)
    }

    /// The entry of Ann, who is not heard; another subject is there throughout.
    private static func entry(
        of lecture: Lecture, settled: SettledVerdict? = nil, checkedIn: Int64? = nil, corrections: [Correction] = [],
        isKept: Bool = true
    ) throws -> AttendanceEntry {
        let subject = try #require(SubjectIdentity("phone:1"))
        let other = Stay(
            subject: 2, place: 1, start: lecture.start, end: lecture.end,
            distance: .init(centimetres: 100, lower: 50, upper: 200))
        let entries = AttendanceSheet(lecture: lecture, radius: 600, stays: [other], isKept: isKept).entries(
            of: [Roster.Student(id: "ann", subjects: [subject])], numbers: [subject: 1],
            checkIns: checkedIn.map { ["ann": $0] } ?? [:], corrections: ["ann": corrections],
            settled: settled.map { ["ann": $0] } ?? [:], rules: rules)
        return try #require(entries.first)
    }

    @Test func `Who was there at the former time is not present at the present one`() throws {
        let verdict = Self.settled(.present)
        #expect(try Self.entry(of: Self.lecture(), settled: verdict).status == .present)
        #expect(try Self.entry(of: Self.lecture(days: 2), settled: verdict).status == .absent)
        let expired = try Self.entry(of: Self.lecture(days: 2), settled: verdict, isKept: false).verdict
        #expect(expired.status == .unknown && expired.reasons == [.expired])
    }

    @Test func `An absence from the former time is none from the present one`() throws {
        let verdict = Self.settled(.absent, nil)
        #expect(try Self.entry(of: Self.lecture(), settled: verdict, isKept: false).status == .absent)
        #expect(try Self.entry(of: Self.lecture(days: 2), settled: verdict, isKept: false).status == .unknown)
    }

    @Test func `A verdict on a time that overlaps the present one counts only once nothing better is known`() throws {
        let (verdict, lecture) = (Self.settled(.present), Self.lecture(minutes: 15))
        #expect(try Self.entry(of: lecture, settled: verdict).status == .absent)
        #expect(try Self.entry(of: lecture, settled: verdict, isKept: false).status == .present)
    }

    @Test func `Who came after the end of a lecture that was shortened does not count as there`() throws {
        let (verdict, lecture) = (Self.settled(.late, 50...90), Self.lecture(length: 45))
        #expect(try Self.entry(of: lecture, settled: verdict).status == .absent)
        #expect(try Self.entry(of: lecture, settled: verdict, isKept: false).status == .unknown)
    }

    @Test func `A verdict of a former version counts if the student was seen during the present time`() throws {
        let verdict = Self.settled(.present, isTimed: false)
        #expect(try Self.entry(of: Self.lecture(), settled: verdict, isKept: false).status == .present)
        #expect(try Self.entry(of: Self.lecture(minutes: 60), settled: verdict, isKept: false).status == .present)
        #expect(try Self.entry(of: Self.lecture(days: 2), settled: verdict, isKept: false).status == .unknown)
        let absence = Self.settled(.absent, nil, isTimed: false)
        #expect(try Self.entry(of: Self.lecture(), settled: absence, isKept: false).status == .absent)
    }

    @Test func `A check-in counts if the lecture takes check-ins at that time`() throws {
        for (seconds, counts) in [(-901, false), (-900, true), (5399, true), (5400, false)] as [(Int64, Bool)] {
            let entry = try Self.entry(of: Self.lecture(), checkedIn: At.tuesday + seconds)
            #expect(entry.checkedIn == (counts ? At.tuesday + seconds : nil), "\(seconds)")
        }
    }

    private static func correction(_ status: AttendanceStatus, of lecture: Lecture?) -> Correction {
        Correction(
            lecture: "a", student: "ann", time: lecture.map { LectureTime($0) }, at: 1, by: "x", reason: "y",
            from: .unknown, to: status)
    }

    @Test func `A correction of the former time is kept, and does not count`() throws {
        let corrections = [Self.correction(.excused, of: Self.lecture())]
        #expect(try Self.entry(of: Self.lecture(minutes: 89), corrections: corrections).status == .excused)
        let moved = try Self.entry(of: Self.lecture(days: 2), corrections: corrections)
        #expect(moved.status == .absent && moved.correction == nil)
        #expect(moved.corrections == corrections)
        // One of a former version has no time.
        let untimed = [Self.correction(.excused, of: nil)]
        #expect(try Self.entry(of: Self.lecture(days: 2), corrections: untimed).status == .excused)
    }

    @Test func `The last correction of the present time counts, whatever was corrected later of another`() throws {
        let corrections = [
            Self.correction(.present, of: Self.lecture(days: 2)), Self.correction(.excused, of: Self.lecture()),
        ]
        #expect(try Self.entry(of: Self.lecture(days: 2), corrections: corrections).status == .present)
    }

    @Test func `What is recorded of a verdict says for which time`() throws {
        let entry = try Self.entry(of: Self.lecture(days: 2))
        #expect(SettledVerdict(entry)?.time == LectureTime(Self.lecture(days: 2)))
    }
}
