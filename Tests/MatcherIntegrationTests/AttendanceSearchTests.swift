import Attendance
import Evidence
import InteractionStore
import MatcherCore
import Matching
import RecordContract
import TestSupport
import Testing

@testable import MatcherDaemon

/// Timetable, rooms and store together, as the HTTP server asks them.
@Suite(.timeLimit(.minutes(10))) struct AttendanceSearchTests {
    /// 2026-11-02T08:00:00Z, when the lecture begins.
    private static let start: Int64 = 1_793_606_400

    private static func search(places: String = #""campus/main/2/hb-211", "campus/main/2/hb-211b""#) throws
        -> AttendanceSearch
    {
        let configuration = try MatcherConfiguration.parse(
            """
            [[rooms]]
            name = "HB 2.11"
            places = [\(places)]
            radius = "4m"
            [attendance]
            timetable-files = ["/t.ics"]
            roster-file = "/r.csv"
            """, path: "m.toml", readFile: { _ in [] })
        let settings = try #require(configuration.attendance)
        let files = try AttendanceFiles.read(settings, now: start) { path in
            let text =
                path == "/r.csv"
                ? "course,student,subject\nAlgorithms,s1,phone:ann\nAlgorithms,s1,phone:ann-2\nAlgorithms,s2,phone:ben\n"
                : "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20261102T080000Z\nDURATION:PT90M\nSUMMARY:Algorithms\n"
                    + "LOCATION:hb 2.11\nEND:VEVENT\nEND:VCALENDAR\n"
            return Array(text.utf8)
        }
        return AttendanceSearch(configuration, settings, files, now: start + 7200)
    }

    private static func record(
        _ number: Int64, _ name: String, _ minutes: ClosedRange<Int64>, gateway: String = "hb-211",
        centimetres: Int64 = 200
    ) throws -> ReceivedRecord {
        let path = "campus/main/2/\(gateway)"
        return .interaction(
            InteractionRecord(
                position: RecordPosition(boot: 1, sequence: UInt64(number)), gateway: path, origin: path + "/1",
                number: number,
                place: PlaceName(key: path, site: "campus", building: "main", floor: "2", gateway: path),
                subject: try #require(SubjectIdentity(kind: "phone", id: name)),
                start: start + minutes.lowerBound * 60, end: start + minutes.upperBound * 60, state: .departed,
                samples: 10,
                distance: .init(centimetres: centimetres, lower: centimetres / 2, upper: centimetres * 2)))
    }

    @Test(arguments: Backend.installed)
    func `Two phones of a student at two gateways of a room are one presence`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store(
                [
                    Self.record(1, "ann", 0...50), Self.record(2, "ann-2", 45...90, gateway: "hb-211b"),
                    // Next door, heard through the wall.
                    Self.record(3, "ben", 0...90, centimetres: 450),
                ], now: Self.start + 7200)
            let search = try Self.search()
            let entries = try search.entries(of: search.files.timetable.lectures, in: store)
            #expect(entries.map(\.status) == [.present, .absent])
            #expect(entries.map(\.verdict.dwell) == [5400, 0])
        }
    }

    // Ann's first phone is erased, with which she was there; the second was there for five minutes.
    @Test(arguments: Backend.installed)
    func `What was written down of a student stays when what they carried is erased`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store(
                [
                    Self.record(1, "ann", 0...90), Self.record(2, "ann-2", 0...5), Self.record(3, "ben", 0...90),
                ], now: Self.start + 7200)
            let search = try Self.search()
            let lectures = search.files.timetable.lectures
            #expect(try search.settle(lectures, in: store) == 2)
            let ann = try #require(SubjectIdentity("phone:ann"))
            #expect(try store.erase(ann, now: Self.start + 7200).isComplete)
            // Ben's is written anew.
            #expect(try search.settle(lectures, in: store) == 1)
            let settled = try store.settledVerdicts(lecture: try #require(lectures.first?.id))
            #expect(settled.map(\.status) == [.present, .present])
            // And is what people see from then on.
            #expect(try search.entries(of: lectures, in: store).map(\.status) == [.present, .present])
        }
    }

    // A phone that was lost is erased during the lecture; the other was there throughout.
    @Test(arguments: Backend.installed)
    func `Of a student of whom something was erased is written down what the rest of it says`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store([Self.record(1, "ann", 0...10)], now: Self.start + 3600)
            let ann = try #require(SubjectIdentity("phone:ann"))
            #expect(try store.erase(ann, now: Self.start + 3600).isComplete)
            _ = try store.store([Self.record(2, "ben", 0...90)], now: Self.start + 7200)
            let search = try Self.search()
            let lectures = search.files.timetable.lectures
            let lecture = try #require(lectures.first?.id)
            // That she wasn't there isn't known.
            #expect(try search.settle(lectures, in: store) == 1)
            #expect(try store.settledVerdicts(lecture: lecture).map(\.student) == ["s2"])
            _ = try store.store([Self.record(3, "ann-2", 0...90)], now: Self.start + 7200)
            #expect(try search.settle(lectures, in: store) == 2)
            #expect(try store.settledVerdicts(lecture: lecture).map(\.status) == [.present, .present])
        }
    }

    @Test(arguments: Backend.installed)
    func `Who had everything deleted is in the list without data, and never absent`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store(
                [Self.record(1, "ann", 0...90), Self.record(2, "ben", 0...90)], now: Self.start + 7200)
            var search = try Self.search()
            let lectures = search.files.timetable.lectures
            #expect(try search.settle(lectures, in: store) == 2)
            // As the page does: the badges and phones first, then what is under the number.
            for name in ["phone:ann", "phone:ann-2"] {
                let subject = try #require(SubjectIdentity(name))
                #expect(try store.erase(subject, now: Self.start + 7200).isComplete)
            }
            #expect(try store.erase(number: "s1").isComplete)
            let entries = try search.entries(of: lectures, in: store)
            #expect(entries.map(\.student.id) == ["s1", "s2"])
            #expect(entries.map(\.status) == [.unknown, .present])
            #expect(entries.first?.verdict.reasons == [.erased])
            // Nor is an absence written down.
            #expect(try search.settle(lectures, in: store) == 1)
            let lecture = try #require(lectures.first?.id)
            #expect(try store.settledVerdicts(lecture: lecture).map(\.student) == ["s2"])
            // Nor does another phone, which was elsewhere, tell that she was not there.
            let rows = [
                RosterRow(line: 2, course: "Algorithms", student: "s1", erasedAt: Self.start + 7200),
                RosterRow(line: 3, course: "Algorithms", student: "s1", subject: SubjectIdentity("phone:new")),
                RosterRow(line: 4, course: "Algorithms", student: "s2", subject: SubjectIdentity("phone:ben")),
            ]
            search.files.roster = Roster([rows])
            _ = try store.store(
                [Self.record(3, "new", 0...90, gateway: "hb-900")], now: Self.start + 7200)
            let later = try search.entries(of: lectures, in: store)
            #expect(later.map(\.status) == [.unknown, .present])
            #expect(later.first?.verdict.reasons == [.erased])
        }
    }

    // By a gateway that was cut off.
    @Test(arguments: Backend.installed)
    func `What comes late counts also of whom something was erased since`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store([Self.record(1, "ben", 0...90)], now: Self.start + 7200)
            let search = try Self.search()
            let lectures = search.files.timetable.lectures
            // Of Ann nothing was ever heard.
            #expect(try search.settle(lectures, in: store) == 1)
            let ann = try #require(SubjectIdentity("phone:ann"))
            _ = try store.erase(ann, now: Self.start + 7200)
            _ = try store.store([Self.record(2, "ann-2", 0...90)], now: Self.start + 7200)
            #expect(try search.settle(lectures, in: store) == 2)
            let settled = try store.settledVerdicts(lecture: try #require(lectures.first?.id))
            #expect(settled.map(\.status) == [.present, .present])
        }
    }

    /// Moves the only lecture by days.
    private static func move(_ search: inout AttendanceSearch, days: Int64) {
        search.files.timetable = Timetable(
            lectures: search.files.timetable.lectures.map { lecture in
                var lecture = lecture
                lecture.start += days * 86_400
                lecture.end += days * 86_400
                return lecture
            })
    }

    // Ann was there on Monday, and Ben on Thursday.
    @Test(arguments: Backend.installed)
    func `Of a lecture that was moved after it was written down, who was there at the new time is present`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            let (now, days): (Int64, Int64) = (Self.start + 3 * 86_400 + 7200, 3 * 24 * 60)
            _ = try store.store(
                [Self.record(1, "ann", 0...90), Self.record(2, "ben", days...days + 90)], now: now)
            var search = try Self.search()
            #expect(try search.settle(search.files.timetable.lectures, in: store) == 2)
            let signed = CheckIn(lecture: "a", student: "s1", at: Self.start, room: "HB 2.11")
            _ = try store.checkIn(signed)
            Self.move(&search, days: 3)
            let lectures = search.files.timetable.lectures
            let entries = try search.entries(of: lectures, in: store)
            #expect(entries.map(\.status) == [.absent, .present])
            #expect(entries.map(\.checkedIn) == [nil, nil])
            #expect(try search.settle(lectures, in: store) == 2)
            let settled = try store.settledVerdicts(lecture: "a")
            #expect(settled.map(\.status) == [.absent, .present])
            let time = LectureTime(try #require(lectures.first))
            #expect(settled.map(\.time) == [time, time])
        }
    }

    @Test(arguments: Backend.installed)
    func `Who signed for the former time of a lecture signs for the new one`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            let minutes: Int64 = 24 * 60
            _ = try store.store(
                [Self.record(1, "ann", 0...5), Self.record(2, "ann", minutes...minutes + 5)],
                now: Self.start + 86_400 + 300)
            var search = try Self.search()
            func sign(_ minute: Int64) throws -> String {
                try search.checkIn(student: "s1", room: "HB 2.11", now: Self.start + minute * 60, in: store).name
            }
            #expect(try sign(5) == "successful")
            Self.move(&search, days: 1)
            #expect(try sign(minutes + 5) == "successful")
            #expect(try sign(minutes + 6) == "already-signed")
            #expect(try store.checkIns(lecture: "a").map(\.at) == [Self.start + (minutes + 5) * 60])
        }
    }

    // They had been absent from then on, also in what was written down.
    @Test(arguments: Backend.installed)
    func `Who was there stays so when the place of their gateway is in another room since`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store(
                [Self.record(1, "ann", 0...90), Self.record(2, "ben", 0...90, gateway: "hb-211b")],
                now: Self.start + 7200)
            let search = try Self.search()
            let lectures = search.files.timetable.lectures
            #expect(try search.settle(lectures, in: store) == 2)
            let moved = try Self.search(places: #""campus/main/2/hb-211""#)
            #expect(try moved.entries(of: lectures, in: store).map(\.status) == [.present, .present])
            #expect(try moved.settle(lectures, in: store) == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `Where nothing was heard nobody is absent`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            let search = try Self.search()
            let entries = try search.entries(of: search.files.timetable.lectures, in: store)
            #expect(entries.map(\.status) == [.unknown, .unknown])
            #expect(entries.first?.verdict.reasons == [.roomSilent])
        }
    }

    @Test(arguments: Backend.installed)
    func `Signing is written down once, and only for who is in the room`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store(
                [Self.record(1, "ann-2", -12...(-2)), Self.record(2, "ben", -12...(-6))], now: Self.start)
            let search = try Self.search()
            func sign(_ student: String?, _ minute: Int64) throws -> String {
                try search.checkIn(student: student, room: "HB 2.11", now: Self.start + minute * 60, in: store).name
            }
            #expect(try sign("s1", -16) == "no-lecture")
            #expect(try sign("s1", -10) == "successful")
            #expect(try sign("s1", 0) == "already-signed")
            #expect(try sign("s2", 0) == "not-in-the-room")
            #expect(try sign("s3", 0) == "credential-error")
            #expect(try sign(nil, 0) == "credential-error")
            #expect(
                try store.checkIns(lecture: "a") == [
                    CheckIn(lecture: "a", student: "s1", at: Self.start - 600, room: "HB 2.11")
                ])
            let entries = try search.entries(of: search.files.timetable.lectures, in: store)
            #expect(entries.map(\.checkedIn) == [Self.start - 600, nil])
        }
    }

    // The lecture's room is in no table [[rooms]].
    @Test func `In a room that only a floor plan has, who is shown there signs`() async throws {
        let directory = try TemporaryDirectory()
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        var search = try Self.search()
        search.rooms = RoomDirectory([])
        func sign(isShown: Bool?) throws -> String {
            try search.checkIn(student: "s1", room: "HB 2.11", now: Self.start, isShown: isShown, in: store).name
        }
        #expect(try sign(isShown: nil) == "room-not-known")
        #expect(try sign(isShown: false) == "not-in-the-room")
        #expect(try sign(isShown: true) == "successful")
    }

    @Test func `Who is in a room that nobody configured can't sign`() async throws {
        let directory = try TemporaryDirectory()
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        let decision = try Self.search().checkIn(student: "s1", room: "Aula", now: Self.start, in: store)
        #expect(decision == .noLecture(next: nil))
    }

    @Test(arguments: Backend.installed)
    func `What was written down counts once interactions are deleted`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            _ = try store.store(
                [Self.record(1, "ann", 0...90), Self.record(2, "ben", 20...90)], now: Self.start + 7200)
            var search = try Self.search()
            // Before the end of the lecture there is nothing to write down.
            #expect(search.lecturesToSettle(now: Self.start + 5399).isEmpty)
            let lectures = search.lecturesToSettle(now: Self.start + 5400)
            #expect(lectures.map(\.id) == ["a"])
            for _ in 0..<2 {
                let count = try search.settle(lectures, in: store)
                #expect(count == 2)
            }
            let later = Self.start + 15 * 86_400
            _ = try store.enforceRetention(days: 14, now: later)
            search.oldest = later - 14 * 86_400
            let entries = try search.entries(of: lectures, in: store)
            #expect(entries.map(\.status) == [.present, .late])
            #expect(entries.map(\.verdict.dwell) == [5400, 4200])
            #expect(entries.map(\.verdict.reasons) == [[.settled], [.settled]])
            // It isn't written down again, when nobody knows more.
            #expect(search.lecturesToSettle(now: later).isEmpty)
            let again = try search.settle(lectures, in: store)
            #expect(again == 0)
        }
    }

    @Test func `A lecture is written down on its day and on the last one, and not every hour between`() throws {
        var search = try Self.search()
        func isUrgent(days: Int64) -> Bool {
            let now = Self.start + 5400 + days * 86_400
            search.oldest = now - 14 * 86_400
            return !search.urgentLectures(now: now).isEmpty
        }
        // 14 days after it, minus the 90 minutes that it lasted, its beginning isn't kept any more.
        #expect((0...14).filter { isUrgent(days: $0) } == [0, 13])
    }
}
