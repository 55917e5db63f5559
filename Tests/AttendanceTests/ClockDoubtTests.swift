import Matching
import Testing

@testable import Attendance

@Suite("Clocks that weren't synchronized, in attendance") struct ClockDoubtTests {
    private static let start: Int64 = 1_793_606_400
    private static let lecture = Lecture(
        id: "a", course: "A", title: "A", room: "101", start: start, end: start + 5400)

    private static func stay(_ subject: Int64, _ minutes: ClosedRange<Int64>, place: Int64 = 1) -> Stay {
        Stay(
            subject: subject, place: place, start: start + minutes.lowerBound * 60,
            end: start + minutes.upperBound * 60, distance: .init(centimetres: 100, lower: 50, upper: 200))
    }

    /// Students 1 and 2; 2 isn't heard.
    private static func reasons(_ stays: [Stay], unsynchronized: [Stay]) throws -> [[AttendanceVerdict.Reason]] {
        let students = try (1...2).map { number in
            Roster.Student(id: "\(number)", subjects: [try #require(SubjectIdentity("phone:\(number)"))])
        }
        let numbers = Dictionary(uniqueKeysWithValues: students.map { ($0.subjects[0], Int64($0.id) ?? 0) })
        return AttendanceSheet(
            lecture: lecture, radius: 600, stays: stays, unsynchronized: unsynchronized
        ).entries(of: students, numbers: numbers, rules: AttendanceRules()).map(\.verdict.reasons)
    }

    @Test func `Of somebody who was there their own stays count, of others whatever was heard in the room`() throws {
        let (own, other) = (Self.stay(1, 0...90), Self.stay(3, 0...90))
        #expect(try Self.reasons([own, other], unsynchronized: []) == [[], []])
        #expect(try Self.reasons([own, other], unsynchronized: [own]) == [[.clock], [.clock]])
        #expect(try Self.reasons([own, other], unsynchronized: [other]) == [[], [.clock]])
    }

    @Test func `What was heard long before or after the lecture doesn't matter`() throws {
        let own = Self.stay(1, 0...90)
        #expect(try Self.reasons([own], unsynchronized: [Self.stay(1, -60 ... -6)]) == [[], []])
        #expect(try Self.reasons([own], unsynchronized: [Self.stay(1, -60 ... -5)]) == [[.clock], [.clock]])
        #expect(try Self.reasons([own], unsynchronized: [Self.stay(1, 96...97)]) == [[], []])
    }

    @Test func `A verdict that was written down keeps it`() throws {
        let entry = AttendanceEntry(
            lecture: Self.lecture, student: Roster.Student(id: "1", subjects: []),
            verdict: AttendanceVerdict(
                SettledVerdict(
                    lecture: "a", student: "1", status: .present, dwell: 5400, firstSeen: Self.start,
                    lastSeen: Self.start + 5400, clockIsSynchronized: false)), checkedIn: nil, corrections: [])
        #expect(entry.verdict.reasons == [.settled, .clock])
        #expect(!entry.verdict.clockIsSynchronized)
    }

    @Test func `A note counts the rows that it concerns`() {
        #expect(ClockDoubt.note(of: 0, "verdict") == nil)
        #expect(
            ClockDoubt.note(of: 1, "verdict")
                == "for 1 verdict a gateway's clock was not synchronized: its times may be wrong")
        #expect(
            ClockDoubt.note(of: 2, "verdict")
                == "for 2 verdicts a gateway's clock was not synchronized: their times may be wrong")
    }
}
