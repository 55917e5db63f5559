import Attendance
import Matching
import OperatorText
import TestValues
import Testing

/// A lecture from 10:00 to 11:30 in Berlin, which is minute 0 to 90 here.
@Suite("Verdicts") struct AttendanceVerdictTests {
    private static let lecture = Lecture(
        id: "a", course: "A", title: "A", room: "HB 2.11", start: At.tuesday, end: At.tuesday + 5400)
    private static let rules = AttendanceRules()
    /// Somebody was heard all the time.
    private static let heard = AttendanceVerdict.Room.heard(.init(start: lecture.start, end: lecture.end))

    /// A stay from one minute to another, at so many centimetres.
    private static func stay(
        _ start: Double, _ end: Double, subject: Int64 = 1, centimetres: Int64? = 300
    ) -> Stay {
        Stay(
            subject: subject, place: 1, start: lecture.start + Int64(start * 60), end: lecture.start + Int64(end * 60),
            distance: centimetres.map { .init(centimetres: $0, lower: $0 / 2, upper: $0 * 2) })
    }

    private static func verdict(
        _ stays: [Stay], of lecture: Lecture = lecture, rules: AttendanceRules = rules
    ) -> AttendanceVerdict {
        AttendanceVerdict(
            lecture, presence: RoomPresence(stays, radius: 600, rules: rules),
            room: .heard(.init(start: lecture.start, end: lecture.end)), rules: rules)
    }

    @Test(
        "When one comes and goes says how one attended",
        arguments: [
            // From before the beginning until after the end.
            ([[-5.0, 95]], AttendanceStatus.present, 90),
            // Ten minutes late isn't late yet, and one second more is.
            ([[10, 90]], .present, 80), ([[10 + 1.0 / 60, 90]], .late, 79),
            ([[0, 80]], .present, 80), ([[0, 80 - 1.0 / 60]], .leftEarly, 79),
            ([[20, 60]], .lateAndLeftEarly, 40),
            // Nine minutes are too few, ten aren't.
            ([[0, 9]], .absent, 9), ([[0, 10]], .leftEarly, 10), ([[80, 90]], .late, 10), ([], .absent, 0),
            // Only before the lecture, or only after it.
            ([[-20, -1]], .absent, 0), ([[91, 120]], .absent, 0),
            // Five minutes twice are ten.
            ([[0, 5], [85, 90]], .present, 10),
        ] as [([[Double]], AttendanceStatus, Int64)])
    func cases(minutes: [[Double]], status: AttendanceStatus, dwell: Int64) {
        let verdict = Self.verdict(minutes.map { Self.stay($0[0], $0[1]) })
        #expect(verdict.status == status)
        #expect(verdict.dwell / 60 == dwell)
    }

    @Test func `Who went out for four minutes was there, and who went out for six is said to have been out`() {
        let four = Self.verdict([Self.stay(0, 40), Self.stay(44, 90)])
        #expect(four.status == .present)
        #expect(four.dwell == 90 * 60)
        #expect(four.intervals.count == 1)
        #expect(four.reasons.isEmpty)
        let six = Self.verdict([Self.stay(0, 40), Self.stay(46, 90)])
        #expect(six.status == .present)
        // 40 + 44 minutes.
        #expect(six.dwell == 84 * 60)
        #expect(six.reasons == [.wasOut(seconds: 360, times: 1)])
        // Exactly the gap that is tolerated.
        #expect(Self.verdict([Self.stay(0, 40), Self.stay(45, 90)]).dwell == 90 * 60)
    }

    @Test func `Two badges of one student are one presence`() {
        // The first is heard until 10:30, the other from 10:25 on.
        let verdict = Self.verdict([Self.stay(25, 90, subject: 2), Self.stay(0, 30)])
        #expect(verdict.status == .present)
        #expect(verdict.dwell == 90 * 60)
        #expect(verdict.intervals == [.init(start: Self.lecture.start, end: Self.lecture.end)])
    }

    @Test func `Only who is within the radius is in the room`() {
        // The median of the distance is within 6 m, or beyond it.
        #expect(Self.verdict([Self.stay(0, 90, centimetres: 600)]).status == .present)
        #expect(Self.verdict([Self.stay(0, 90, centimetres: 601)]).status == .absent)
        #expect(Self.verdict([Self.stay(0, 90, centimetres: nil)]).status == .absent)
        var rules = Self.rules
        rules.countsUnknownDistance = true
        #expect(Self.verdict([Self.stay(0, 90, centimetres: nil)], rules: rules).status == .present)
    }

    @Test func `Who was heard outside is said to have been`() {
        let verdict = Self.verdict([Self.stay(0, 90, centimetres: 950), Self.stay(0, 20, centimetres: 720)])
        #expect(verdict.reasons == [.outside(centimetres: 720)])
        #expect(
            verdict.reasons[0].text(InstantText.utc)
                == "received 7.2 m from the room's places at the nearest, which is outside")
        // Whoever was inside long enough isn't told of the way there.
        #expect(Self.verdict([Self.stay(0, 90), Self.stay(-5, 0, centimetres: 900)]).reasons.isEmpty)
    }

    @Test func `A short lecture has shorter times`() {
        // Twelve minutes: half is six, a quarter is three.
        var short = Self.lecture
        short.end = short.start + 720
        #expect(Self.verdict([Self.stay(3, 9)], of: short).status == .present)
        #expect(Self.verdict([Self.stay(3.5, 9.5)], of: short).status == .late)
        #expect(Self.verdict([Self.stay(0, 5.5)], of: short).status == .absent)
    }

    @Test func `A lecture over midnight is judged as any other`() {
        // 23:30 to 01:00 UTC.
        let night = Lecture(
            id: "n", course: "N", title: "N", room: "Roof", start: At.tuesday + 15 * 3600 + 1800,
            end: At.tuesday + 17 * 3600)
        #expect(InstantText.utc(night.start) == "2026-10-20T23:30:00Z")
        let shift = Double(night.start - Self.lecture.start) / 60
        let verdict = Self.verdict([Self.stay(shift + 5, shift + 40), Self.stay(shift + 41, shift + 90)], of: night)
        #expect(verdict.status == .present)
        #expect(verdict.dwell == 85 * 60)
    }

    @Test(
        "Where it can't be known, nobody is absent",
        arguments: [
            (AttendanceVerdict.Room.silent, AttendanceVerdict.Carried.heard, AttendanceVerdict.Reason.roomSilent),
            (.expired, .heard, .expired), (.notConfigured, .heard, .roomNotConfigured("HB 2.11")),
            (heard, .nothing, .noSubjects), (heard, .neverHeard, .neverHeard), (.silent, .neverHeard, .roomSilent),
        ])
    func unknown(
        room: AttendanceVerdict.Room, carried: AttendanceVerdict.Carried, reason: AttendanceVerdict.Reason
    ) {
        let verdict = AttendanceVerdict(
            Self.lecture, presence: RoomPresence([], radius: 600, rules: Self.rules), room: room,
            carried: carried, rules: Self.rules)
        #expect(verdict.status == .unknown)
        #expect(verdict.reasons == [reason])
    }

    // Whoever is heard elsewhere isn't here; of whom no gateway ever heard anything it isn't known.
    @Test func `Who was never heard anywhere is unknown, and who was heard elsewhere is absent`() throws {
        let subjects = try ["ann", "ben", "cleo"].map { try #require(SubjectIdentity("phone:\($0)")) }
        let rows = ["A,s1,phone:ann", "A,s2,phone:ben", "A,s3,phone:cleo"]
        let text = "course,student,subject\n" + rows.joined(separator: "\n")
        let students = try RosterFile.parse(Array(text.utf8), file: "r.csv").students(of: "A")
        let sheet = AttendanceSheet(lecture: Self.lecture, radius: 600, stays: [Self.stay(0, 90)])
        let entries = sheet.entries(of: students, numbers: [subjects[0]: 1, subjects[1]: 2], rules: Self.rules)
        #expect(entries.map(\.status) == [.present, .absent, .unknown])
        #expect(entries.last?.verdict.reasons == [.neverHeard])
    }

    // A gateway that failed had made everybody absent.
    @Test(
        "Where nobody was heard for more than half of a lecture nobody is absent",
        arguments: [(3.0, 86.0, AttendanceStatus.unknown), (40, 80, .absent), (0, 44, .unknown), (0, 46, .absent)])
    func silentRoom(first: Double, second: Double, status: AttendanceStatus) throws {
        let text = "course,student,subject\nA,1,phone:1\nA,2,phone:2\n"
        let students = try RosterFile.parse(Array(text.utf8), file: "r.csv").students(of: "A")
        // Somebody else is heard for three minutes from the beginning, or until `second`, and from `second` on.
        let stays =
            first > 0
            ? [Self.stay(0, first, subject: 9), Self.stay(second, 90, subject: 9)] : [Self.stay(0, second, subject: 9)]
        let sheet = AttendanceSheet(lecture: Self.lecture, radius: 600, stays: stays + [Self.stay(0, 2)])
        let numbers = Dictionary(uniqueKeysWithValues: students.enumerated().map { ($1.subjects[0], Int64($0) + 1) })
        #expect(sheet.entries(of: students, numbers: numbers, rules: Self.rules).map(\.status) == [status, status])
    }

    @Test func `A room that falls silent is said beside the verdict`() {
        let half = Self.lecture.start + 45 * 60
        let verdict = AttendanceVerdict(
            Self.lecture, presence: RoomPresence([Self.stay(0, 45)], radius: 600, rules: Self.rules),
            room: .heard(.init(start: Self.lecture.start, end: half)), rules: Self.rules)
        #expect(verdict.status == .leftEarly)
        #expect(verdict.reasons == [.left(before: 45 * 60), .roomSilentSince(half)])
        #expect(
            verdict.reasons.map { $0.text(InstantText.utc) } == [
                "left 45 min before the end",
                "nothing was received in the room after 2026-10-20T08:45:00Z: perhaps its gateway was not running",
            ])
    }

    private static func randomStays(_ random: inout SeededGenerator) -> [Stay] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let start = Double.random(in: -30...100, using: &random)
            return stay(
                start, start + Double.random(in: 0...40, using: &random), subject: .random(in: 1...2, using: &random),
                centimetres: .random(in: 0...700, using: &random))
        }
    }

    /// Better is more.
    private static func rank(_ status: AttendanceStatus) -> Int {
        switch status {
        case .present: 3
        case .late, .leftEarly: 2
        case .lateAndLeftEarly: 1
        default: 0
        }
    }

    @Test func `More stay never makes the verdict worse`() {
        var random = SeededGenerator("attendance by more stay")
        for _ in 0..<5000 {
            let stays = Self.randomStays(&random)
            let before = Self.verdict(stays)
            let after = Self.verdict(stays + Self.randomStays(&random))
            #expect(Self.rank(after.status) >= Self.rank(before.status), random.comment)
            #expect(after.dwell >= before.dwell, random.comment)
        }
    }

    @Test func `The order of stays is no matter`() {
        var random = SeededGenerator("attendance by order of stays")
        for _ in 0..<2000 {
            let stays = Self.randomStays(&random)
            #expect(Self.verdict(stays) == Self.verdict(stays.shuffled(using: &random)), random.comment)
        }
    }

    @Test func `A minute counts once, and none outside the lecture does`() {
        var random = SeededGenerator("attendance minute by minute")
        var rules = Self.rules
        rules.gap = 0
        for _ in 0..<500 {
            let stays = Self.randomStays(&random).filter { ($0.distance?.centimetres ?? 0) <= 600 }
            // Every second of the lecture by itself.
            let seconds = (Self.lecture.start..<Self.lecture.end).count { second in
                stays.contains { $0.start <= second && second < $0.end }
            }
            #expect(Self.verdict(stays, rules: rules).dwell == Int64(seconds), random.comment)
        }
    }

    @Test func `Times at the ends of what can be counted do no harm`() {
        let ends = [
            Stay(subject: 1, place: 1, start: .min, end: .max, distance: .init(centimetres: 1, lower: 1, upper: 1))
        ]
        #expect(Self.verdict(ends).dwell == 5400)
        let apart = [
            Stay(subject: 1, place: 1, start: .min, end: .min, distance: .init(centimetres: 1, lower: 1, upper: 1)),
            Stay(subject: 1, place: 1, start: .max, end: .max, distance: .init(centimetres: 1, lower: 1, upper: 1)),
        ]
        #expect(Self.verdict(apart).status == .absent)
    }
}
