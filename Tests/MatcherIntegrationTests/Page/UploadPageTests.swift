import InteractionStore
import Matching
import Pages
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("Uploads of timetables and rosters", .timeLimit(.minutes(10))) struct UploadPageTests {
    private static let path = "/timetable/upload"

    private static let timetable = TestAPI.calendar([.init(uid: "physics-1", course: "Physics")])

    @Test func `From a calendar and a table to a corrected list`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            let empty = try await lecturer.get("/lectures")
            #expect(empty.status == 200 && empty.text.contains("href=\"/timetable\""))
            #expect(try await lecturer.get("/timetable").text.contains("Nothing is uploaded."))
            let answer = try await lecturer.upload(
                Self.path, ["name": ""],
                files: [
                    "timetable": Self.timetable,
                    "roster": TestAPI.roster("Physics,s1,\(TestAPI.badgeOfStudent),Ann Other"),
                ])
            #expect(answer.status == 303, "\(answer.text)")
            #expect(answer.headers["location"] == "/lectures?done=uploaded")
            // At once, although what was read before is kept for a while.
            let lectures = try await lecturer.get("/lectures?done=uploaded").text
            #expect(lectures.contains("href=\"/lecture?id=physics-1\"") && lectures.contains("The upload is saved"))
            #expect(try await lecturer.get("/lecture?id=physics-1").text.contains("Ann Other"))
            let correction = try await lecturer.post(
                "/lecture/correct",
                ["lecture": "physics-1", "student": "s1", "status": "present", "reason": "sat in the last row"])
            #expect(correction.status == 303, "\(correction.text)")
            let list = try await lecturer.get("/timetable").text
            for part in [
                "lectures.ics", "1 lecture, Mon 2026-11-02 to Mon 2026-11-02: Physics", "1 student", "by Lea Lecturer",
                "You can upload for your courses: Optics, Physics.",
            ] { #expect(list.contains(part), "\(part)") }
            let audit = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }.filter { $0.action == .uploaded }
            #expect(audit.map(\.object) == ["Roster roster.csv", "Timetable lectures.ics"])
            #expect(audit.allSatisfy { $0.name == "Lea Lecturer" })
            // Whose badge is heard, where and when, is what a lecturer learns by these files.
            #expect(
                audit.map(\.detail) == [
                    "Physics; badges and phones: s1 \(TestAPI.badgeOfStudent)",
                    "Physics; 1 lecture, Mon 2026-11-02 to Mon 2026-11-02; rooms: Hopper Hall",
                ])
        }
    }

    @Test func `An account whose identifier is another lecturer's number is told only the courses of its own`()
        async throws
    {
        try await TestAPI.withUploads { api in
            let lecturer = try api.browser(.lecturer, name: "4712", number: "4711")
            #expect(try await lecturer.get("/timetable").text.contains("for your courses: Optics, Physics."))
            let events = TestAPI.calendar([.init(uid: "chemistry-1", course: "Chemistry")])
            let answer = try await lecturer.upload(Self.path, ["name": ""], files: ["timetable": events])
            #expect(answer.status == 422)
            #expect(answer.text.contains("must be one of your courses: Optics, Physics"))
        }
    }

    @Test func `The audit says whom a lecturer takes from courses of others`() async throws {
        try await TestAPI.withUploads { api in
            let roster = TestAPI.roster("Chemistry,s1,,Ann", "Chemistry,s2,,Ben")
            #expect(try await api.chemist().upload(Self.path, files: ["roster": roster]).status == 303)
            let physicist = try api.physicist()
            for rows in ["Physics,s1,,", "Physics,s1,,\nPhysics,s3,,Cy"] {
                #expect(try await physicist.upload(Self.path, files: ["roster": TestAPI.roster(rows)]).status == 303)
            }
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
                .filter { $0.action == .uploaded }.map(\.detail)
            // The latest first; who was in the course already is not told again.
            #expect(details == ["Physics", "Physics; from courses of others: s1", "Chemistry"])
        }
    }

    @Test func `A check shows what a file has, and saves nothing`() async throws {
        try await TestAPI.withUploads { api in
            let file = TestAPI.calendar([
                .init(uid: "a", course: "Physics", room: "Attic"), .init(uid: "b", course: "Optics", hour: 10),
            ])
            let answer = try await api.physicist().upload(Self.path, ["only": "check"], files: ["timetable": file])
            #expect(answer.status == 200)
            for part in [
                "Nothing was saved yet.", "No mistakes", "<dt>Lectures</dt><dd>2</dd>",
                "Mon 2026-11-02, 08:00 to 08:45",
                "Optics, Physics", "The room &quot;Attic&quot; of 1 lecture is not known here",
                "No roster has students of the course &quot;Optics&quot;.",
            ] { #expect(answer.text.contains(part), "\(part)") }
            let uploads = try api.store.use { try $0.uploads() }
            #expect(uploads.isEmpty)
        }
    }

    @Test func `What is not known here is said after it was saved`() async throws {
        try await TestAPI.withUploads { api in
            let file = TestAPI.calendar([.init(uid: "a", course: "Physics", room: "Attic")])
            let answer = try await api.physicist().upload(Self.path, files: ["timetable": file])
            #expect(answer.headers["location"] == "/lectures?done=uploaded-notes")
        }
    }

    @Test func `All mistakes of both files are shown, and nothing is saved`() async throws {
        try await TestAPI.withUploads { api in
            let calendar = Array(
                String(decoding: Self.timetable.bytes, as: UTF8.self).replacing(
                    "20261102T080000Z", with: "20261131T080000Z"
                )
                .utf8)
            let answer = try await api.physicist().upload(
                Self.path, ["name": "My <timetable>"],
                files: [
                    "timetable": ("t.ics", calendar),
                    "roster": TestAPI.roster("Physics,s1,badge,Ann", "Physics,s2,,Ben", "Physics,s2,,Ben"),
                ])
            #expect(answer.status == 422)
            for part in [
                "Nothing was saved", "Line 7: DTSTART is &quot;20261131T080000Z&quot;", "Line 2, column subject:",
                "Line 4: repeats line 3", "value=\"My &lt;timetable&gt;\"",
            ] { #expect(answer.text.contains(part), "\(part) \(answer.text)") }
            // A right file does not count beside a wrong one.
            let mixed = try await api.physicist().upload(
                Self.path, files: ["timetable": Self.timetable, "roster": TestAPI.roster("Physics,,,Ann")])
            #expect(mixed.status == 422)
            let uploads = try api.store.use { try $0.uploads() }
            #expect(uploads.isEmpty)
        }
    }

    @Test func `A table in Latin-1 is told, with how to save it`() async throws {
        try await TestAPI.withUploads { api in
            var bytes = TestAPI.roster("Physics,s1,,J").bytes
            bytes.removeLast()
            bytes += [0xFC] + Array("rgen\n".utf8)
            let answer = try await api.physicist().upload(Self.path, files: ["roster": ("r.csv", bytes)])
            #expect(answer.status == 422)
            #expect(answer.text.contains("Line 2: is not UTF-8 text, but Latin-1 or another encoding"))
            #expect(answer.text.contains("CSV UTF-8"))
        }
    }

    @Test func `A file without contents, another kind of file, and no file are refused`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            let contents = ["", "%PDF-1.7", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"]
            for file in contents.map({ Array($0.utf8) }) {
                for field in ["timetable", "roster"] {
                    let answer = try await lecturer.upload(Self.path, files: [field: ("x", file)])
                    #expect(answer.status == 422 && answer.text.contains("Not accepted"), "\(field) \(file)")
                }
            }
            let none = try await lecturer.upload(Self.path)
            #expect(none.status == 422 && none.text.contains("Choose a timetable, a roster, or both."))
        }
    }

    @Test func `Lecturers upload for their own courses alone`() async throws {
        try await TestAPI.withUploads { api in
            let (lecturer, other) = (try api.physicist(), try api.chemist())
            let chemistry = TestAPI.calendar([.init(uid: "chemistry-1", course: "Chemistry")])
            #expect(
                try await other.upload(
                    Self.path, ["name": "Mine"],
                    files: [
                        "timetable": chemistry,
                        "roster": TestAPI.roster("Chemistry,s1,phone:ann,Ann", "Chemistry,s2,phone:ben,Ben"),
                    ]
                ).status == 303)
            let course = try await lecturer.upload(
                Self.path, files: ["timetable": chemistry, "roster": TestAPI.roster("Chemistry,s1,,Ann")])
            #expect(course.status == 422)
            #expect(course.text.contains("Course &quot;Chemistry&quot;: has 1 lecture; must be one of your courses"))
            #expect(course.text.contains("Line 2, column course: found &quot;Chemistry&quot;"))
            // An event of another course, another lecturer's timetable, and the devices and names of its students.
            let event = try await lecturer.upload(
                Self.path, ["name": "mine too"],
                files: ["timetable": TestAPI.calendar([.init(uid: "chemistry-1", course: "Physics")])])
            #expect(event.status == 422 && event.text.contains("has the UID of an event of another course"))
            let name = try await lecturer.upload(Self.path, ["name": "Mine"], files: ["timetable": Self.timetable])
            #expect(name.status == 422 && name.text.contains("must be another name"))
            let roster = try await lecturer.upload(
                Self.path,
                files: [
                    "roster": TestAPI.roster("Physics,s3,phone:ben,Cid", "Physics,s1,phone:other,", "Physics,s2,,Bert")
                ])
            #expect(roster.status == 422 && !roster.text.contains("s2&quot;"))
            for part in [
                "Line 2, column subject: phone:ben belongs to another student",
                "Line 3, column subject: the student has",
                "Line 4, column name: the student has another name",
            ] { #expect(roster.text.contains(part), "\(part)") }
            let right = TestAPI.roster("Physics,s1,phone:ann,Ann", "Physics,s2,,")
            #expect(try await lecturer.upload(Self.path, files: ["roster": right]).status == 303)
            // Neither seen nor removed.
            #expect(try await !lecturer.get("/timetable").text.contains("Chemistry"))
            let removal = ["kind": "timetable", "name": "Mine"]
            #expect(try await lecturer.post("/timetable/remove", removal).status == 403)
            #expect(try await other.post("/timetable/remove", removal).status == 303)
            #expect(try await other.post("/timetable/remove", removal).status == 404)
        }
    }

    /// Value of the field that agrees to who leaves.
    static func consent(in page: String) -> String? {
        let parts = page.split(separator: "name=\"leaving\" value=\"")
        return parts.count == 2 ? parts[1].split(separator: "\"").first.map(String.init) : nil
    }

    @Test func `An upload decides beside the files of the configuration, and the page says so`() async throws {
        let directory = try TemporaryDirectory()
        let timetable = String(
            decoding: TestAPI.calendar([
                .init(uid: "a", course: "Physics", room: "Old"), .init(uid: "c", course: "Chemistry", hour: 10),
            ]).bytes, as: UTF8.self)
        let roster = String(decoding: TestAPI.roster("Physics,s1,,Ann", "Chemistry,s2,,Ben").bytes, as: UTF8.self)
        let files = """
            timetable-files = ["\(try directory.write("t.ics", timetable))"]
            roster-file = "\(try directory.write("r.csv", roster))"
            """
        try await TestAPI.withUploads(attendance: files) { api in
            let officer = try api.browser(.officer)
            let uploads = [
                "timetable": TestAPI.calendar([.init(uid: "a", course: "Physics")]),
                "roster": TestAPI.roster("Physics,s3,,Cid"),
            ]
            // Ann leaves the course.
            let asked = try await officer.upload(Self.path, files: uploads)
            let consent = try #require(Self.consent(in: asked.text))
            #expect(try await officer.upload(Self.path, ["leaving": consent], files: uploads).status == 303)
            let lecture = try await officer.get("/lecture?id=a").text
            #expect(lecture.contains("Hopper Hall") && lecture.contains("Cid") && !lecture.contains("Ann"))
            #expect(try await officer.get("/lecture?id=c").text.contains("Ben"))
            let page = try await officer.get("/timetable").text
            for part in [
                "names 1 timetable and a roster", "1 event of other timetables replaced.",
                "The roster of the configuration does not count for this course.",
            ] { #expect(page.contains(part), "\(part)") }
        }
    }

    @Test func `A session that ended keeps what was typed, and says that files have to be chosen again`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            api.clock.withLock { $0 += 1800 }
            let answer = try await lecturer.upload(
                Self.path, ["name": "Week 45"], files: ["timetable": Self.timetable])
            #expect(answer.status == 401)
            for part in ["Your session has ended", "Choose files again", "Week 45", "type=\"file\" name=\"timetable\""]
            {
                #expect(answer.text.contains(part), "\(part)")
            }
            #expect(!answer.text.contains("BEGIN:VCALENDAR"))
        }
    }

    @Test func `A form that is damaged, too large or of another type is refused`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            let damaged = try await lecturer.send(
                "POST", Self.path, body: "--b\r\nContent", type: "multipart/form-data; boundary=b",
                origin: TestAPI.pageOrigin)
            #expect(damaged.status == 400)
            let other = try await lecturer.send("POST", Self.path, body: "name=x", origin: TestAPI.pageOrigin)
            #expect(other.status == 415)
            let large = [UInt8](repeating: 120, count: PageRoute.files)
            // The server may close the connection before everything is sent.
            let tooLarge = try? await lecturer.upload(Self.path, files: ["roster": ("r.csv", large)]).status
            #expect([413, nil].contains(tooLarge))
            let foreign = try await lecturer.upload(
                Self.path, files: ["timetable": Self.timetable], origin: "https://evil.example")
            #expect(foreign.status == 403)
        }
    }
}
