import InteractionStore
import Matching
import Pages
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

/// Later uploads: what they replace, what is asked before, and how they are removed.
@Suite("Uploads in the place of others", .timeLimit(.minutes(10))) struct UploadReplacementTests {
    private static let path = "/timetable/upload"

    private static let timetable = TestAPI.calendar([.init(uid: "physics-1", course: "Physics")])

    @Test func `An upload of the same name or course takes the place of the former one`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            for (uid, rows) in [("one", "Physics,s1,,s1"), ("two", "Physics,s1,,s1\nPhysics,s2,,s2")] {
                let files = [
                    "timetable": TestAPI.calendar([.init(uid: uid, course: "Physics")]),
                    "roster": TestAPI.roster(rows),
                ]
                #expect(try await lecturer.upload(Self.path, ["name": "Week"], files: files).status == 303)
            }
            let page = try await lecturer.get("/lectures").text
            #expect(page.contains("/lecture?id=two") && !page.contains("/lecture?id=one"))
            let lecture = try await lecturer.get("/lecture?id=two").text
            #expect(lecture.contains("value=\"s1\"") && lecture.contains("value=\"s2\""))
            #expect(
                try await lecturer.post("/timetable/remove", ["kind": "roster", "name": "physics"]).headers["location"]
                    == "/timetable?done=upload-removed")
            #expect(try await lecturer.get("/lecture?id=two").text.contains("value=\"s2\"") == false)
        }
    }

    @Test func `A roster that students leave is saved once somebody says to know it`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            let all = ["Physics,s1,,Ann <i>", "Physics,s2,,Ben", "Physics,s3,,", "Optics,s3,,"].joined(separator: "\n")
            #expect(try await lecturer.upload(Self.path, files: ["roster": TestAPI.roster(all)]).status == 303)
            let less = ["roster": TestAPI.roster("Physics,s2,,Ben")]
            let told =
                "2 students leave the course &quot;Physics&quot;: their attendance at its past lectures is not shown "
                + "any more: Ann &lt;i&gt; (s1), s3."
            let checked = try await lecturer.upload(Self.path, ["only": "check"], files: less)
            #expect(checked.status == 200 && checked.text.contains(told) && !checked.text.contains("Optics&quot;:"))
            let before = try api.store.use { try $0.uploads() }
            let asked = try await lecturer.upload(Self.path, files: less)
            #expect(asked.status == 422 && asked.text.contains(told) && asked.text.contains("students would leave"))
            let consent = try #require(UploadPageTests.consent(in: asked.text))
            // Who agreed that these leave has not agreed that others do.
            let other = ["roster": TestAPI.roster("Physics,s1,,")]
            #expect(try await lecturer.upload(Self.path, ["leaving": consent], files: other).status == 422)
            let unchanged = try api.store.use { try $0.uploads() }
            #expect(unchanged == before)
            #expect(try await lecturer.upload(Self.path, ["leaving": consent], files: less).status == 303)
            let audit = try api.store.use { try $0.audit(limit: 1).map { $0.entry.detail } }
            #expect(audit == ["Physics; leaving: s1, s3"])
            // Nobody leaves now, so nothing is asked.
            #expect(try await lecturer.upload(Self.path, files: less).status == 303)
        }
    }

    @Test func `A later roster keeps that data of a student was erased`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            let first = TestAPI.roster("Physics,s1,phone:phone-of-ann,Ann")
            #expect(try await lecturer.upload(Self.path, files: ["roster": first]).status == 303)
            let ann = try #require(SubjectIdentity("phone:phone-of-ann"))
            _ = try api.store.use { try $0.erase(ann, now: 1_793_600_000) }
            // What was read before is kept for a while.
            #expect(try await lecturer.upload(Self.path, files: ["timetable": Self.timetable]).status == 303)
            let second = TestAPI.roster("Physics,s1,phone:new,Ann")
            #expect(try await lecturer.upload(Self.path, files: ["roster": second]).status == 303)
            let content = try #require(try api.store.use { try $0.uploads() }.first { $0.kind == .roster }).content
            #expect(content.contains(#""s1","phone:new""#) && content.contains(#""s1","erased:1793600000""#))
        }
    }

    @Test func `An erasure that nobody carried out is not accepted in a roster`() async throws {
        try await TestAPI.withUploads { api in
            let lecturer = try api.physicist()
            let first = TestAPI.roster("Physics,s1,phone:phone-of-ann,Ann", "Physics,s2,,Ben")
            #expect(try await lecturer.upload(Self.path, files: ["roster": first]).status == 303)
            let ann = try #require(SubjectIdentity("phone:phone-of-ann"))
            _ = try api.store.use { try $0.erase(ann, now: 1_793_600_000) }
            // What was read before is kept for a while.
            #expect(try await lecturer.upload(Self.path, files: ["timetable": Self.timetable]).status == 303)
            for row in ["s2,erased:1793600000,Ben", "s3,erased:1,Cid", "s1,erased:1793600001,Ann"] {
                let roster = TestAPI.roster("Physics,s1,,Ann", "Physics,s2,,Ben", "Physics,\(row)")
                let answer = try await lecturer.upload(Self.path, files: ["roster": roster])
                #expect(answer.status == 422, "\(row)")
                #expect(
                    answer.text.contains(
                        "Line 4, column subject: found an erasure; must be a badge or phone, or empty: only an erasure "
                            + "writes this"), "\(row)")
            }
            // One that is known changes nothing.
            let known = TestAPI.roster("Physics,s1,erased:1793600000,Ann", "Physics,s2,,Ben")
            #expect(try await lecturer.upload(Self.path, files: ["roster": known]).status == 303)
        }
    }

    @Test func `A timetable of other courses is replaced once somebody says to know it`() async throws {
        try await TestAPI.withUploads { api in
            let (lecturer, officer) = (try api.physicist(), try api.browser(.officer))
            #expect(try await lecturer.upload(Self.path, files: ["timetable": Self.timetable]).status == 303)
            let other = ["timetable": TestAPI.calendar([.init(uid: "chemistry-1", course: "Chemistry")])]
            let told =
                "The timetable &quot;lectures.ics&quot; that Lea Lecturer uploaded is replaced, and the new one does not "
                + "have the course Physics"
            let asked = try await officer.upload(Self.path, files: other)
            #expect(asked.status == 422 && asked.text.contains(told), "\(asked.text)")
            #expect(asked.text.contains("because a timetable of other courses would be replaced"))
            #expect(try await lecturer.get("/lectures").text.contains("/lecture?id=physics-1"))
            let consent = try #require(UploadPageTests.consent(in: asked.text))
            // Under another name nothing is replaced.
            #expect(try await officer.upload(Self.path, ["name": "Other"], files: other).status == 303)
            #expect(try await officer.upload(Self.path, ["leaving": consent], files: other).status == 303)
            let detail = try api.store.use { try $0.audit(limit: 1).map { $0.entry.detail } }.first
            #expect(detail?.hasSuffix("; without lectures any more: Physics") == true, "\(detail ?? "none")")
        }
    }

    @Test func `Lecturers remove their uploads also when these cannot be read any more`() async throws {
        try await TestAPI.withUploads { api in
            let now = api.clock.withLock { $0 }
            // A year ago the repetitions were few enough to be read.
            let events = (0..<96).map {
                "BEGIN:VEVENT\r\nUID:\($0)\r\nDTSTART:19700801T080000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=YEARLY\r\n"
                    + "SUMMARY:Physics\r\nEND:VEVENT\r\n"
            }
            let files = [
                UploadedFile(
                    .timetable, name: "Old",
                    content: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + events.joined() + "END:VCALENDAR\r\n",
                    by: "Lea Lecturer", at: now - 365 * 86_400),
                UploadedFile(.roster, name: "physics", content: "damaged", by: "Lea Lecturer", at: now),
            ]
            #expect(try api.store.use { try $0.save(files, audit: []) })
            let (lecturer, other) = (try api.physicist(), try api.chemist())
            #expect(try await lecturer.get("/lectures").status == 503)
            let page = try await lecturer.get("/timetable").text
            #expect(page.contains("Cannot be read") && page.contains("name=\"name\" value=\"Old\""), "\(page)")
            #expect(try await !other.get("/timetable").text.contains("Cannot be read"))
            for (kind, name) in [("timetable", "Old"), ("roster", "physics")] {
                let removal = ["kind": kind, "name": name]
                #expect(try await other.post("/timetable/remove", removal).status == 403)
                #expect(try await lecturer.post("/timetable/remove", removal).status == 303, "\(name)")
            }
            #expect(try await lecturer.get("/lectures").status == 200)
        }
    }
}
