import Attendance
import Matching
import Testing

/// What USiBeacon answers: successful, already signed, not in the room, credential error; and its look-ahead of 15 minutes.
@Suite("Signing for a lecture") struct CheckInDecisionTests {
    /// 10:00 to 11:30 and 11:30 to 13:00, the same room; another course at the same time elsewhere.
    private static let first = Lecture(
        id: "1", course: "Algorithms", title: "", room: "HB 2.11", start: At.tuesday, end: At.tuesday + 5400)
    private static let second = Lecture(
        id: "2", course: "Algorithms", title: "", room: "hb  2.11", start: At.tuesday + 5400, end: At.tuesday + 10_800)
    private static let elsewhere = Lecture(
        id: "3", course: "Algorithms", title: "", room: "Aula", start: At.tuesday, end: At.tuesday + 5400)
    private static let others = Lecture(
        id: "4", course: "Analysis", title: "", room: "HB 2.11", start: At.tuesday - 3600, end: At.tuesday)

    private func decide(
        _ student: String? = "s1", at now: Int64, earlier: [String: Int64] = [:], lastHeard: Int64? = nil,
        isInRoom: Bool? = true
    ) throws -> CheckInDecision {
        let roster = try RosterFile.parse(
            Array("course,student,subject\nAlgorithms,s1,phone:ann\nAnalysis,s2,phone:ben\n".utf8), file: "r.csv")
        let stay = Stay(
            subject: 1, place: 1, start: now - 3600, end: lastHeard ?? now,
            distance: .init(centimetres: 200, lower: 100, upper: 400))
        let rules = AttendanceRules()
        return CheckInDecision(
            student: student, room: "HB 2.11", now: now,
            timetable: Timetable(lectures: [Self.first, Self.second, Self.elsewhere, Self.others]), roster: roster,
            isThere: isInRoom.map {
                RoomPresence($0 ? [stay] : [], radius: 600, rules: rules).isThere(at: now, gap: rules.gap)
            }, earlier: earlier,
            rules: rules)
    }

    // 10:00 less 15 minutes is 9:45: 900 seconds.
    @Test func `Fifteen minutes before the lecture one may sign, and a second earlier one may not`() throws {
        #expect(try decide(at: At.tuesday - 900) == .successful(Self.first))
        #expect(try decide(at: At.tuesday - 901) == .noLecture(next: Self.first))
    }

    @Test func `The lecture that is running comes before the next one`() throws {
        #expect(try decide(at: At.tuesday + 5399) == .successful(Self.first))
        #expect(try decide(at: At.tuesday + 5400) == .successful(Self.second))
        #expect(try decide(at: At.tuesday + 10_799) == .successful(Self.second))
        #expect(try decide(at: At.tuesday + 10_800) == .noLecture(next: nil))
    }

    @Test func `One signs once for each lecture`() throws {
        #expect(
            try decide(at: At.tuesday + 60, earlier: ["1": At.tuesday]) == .alreadySigned(Self.first, at: At.tuesday))
        #expect(try decide(at: At.tuesday + 5400, earlier: ["1": At.tuesday]) == .successful(Self.second))
    }

    @Test func `Who signed when the lecture was at another time signs again`() throws {
        for earlier in [At.tuesday - 2 * At.day, At.tuesday - 901, At.tuesday + 5400] {
            #expect(try decide(at: At.tuesday + 60, earlier: ["1": earlier]) == .successful(Self.first))
        }
    }

    @Test func `Who isn't in the room can't sign`() throws {
        #expect(try decide(at: At.tuesday, isInRoom: false) == .notInTheRoom(Self.first))
        // Heard five minutes ago is there still.
        #expect(try decide(at: At.tuesday, lastHeard: At.tuesday - 300) == .successful(Self.first))
        #expect(try decide(at: At.tuesday, lastHeard: At.tuesday - 301) == .notInTheRoom(Self.first))
    }

    @Test func `In a room that is not set up nobody signs, and it is not said that they are elsewhere`() throws {
        #expect(try decide(at: At.tuesday, isInRoom: nil) == .roomNotKnown(Self.first))
        #expect(try decide(at: At.tuesday - 1800, isInRoom: nil) == .noLecture(next: Self.first))
        #expect(try decide(at: At.tuesday, isInRoom: nil).name == "room-not-known")
    }

    @Test func `Nobody signs without being known, nor for a course of others`() throws {
        #expect(try decide(nil, at: At.tuesday) == .credentialError)
        #expect(try decide("s9", at: At.tuesday) == .credentialError)
        #expect(try decide("s2", at: At.tuesday + 60) == .noLecture(next: nil))
        #expect(try decide("s1", at: At.tuesday - 1800) == .noLecture(next: Self.first))
        #expect(try decide("s1", at: At.tuesday - 8 * At.day) == .noLecture(next: nil))
    }
}
