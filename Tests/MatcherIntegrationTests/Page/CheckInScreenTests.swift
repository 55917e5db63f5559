import InteractionStore
import Matching
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Check-in on the page") struct CheckInScreenTests {
    private static let badge = SubjectIdentity(TestAPI.badgeOfStudent)

    /// Runs `body` with the lectures of a day: physics is from 8:00 to 9:30.
    ///
    /// - Parameter minutes: the present time, in minutes after 8:00.
    private func with(
        at minutes: Int64, isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await TestAPI.withLectures { api in
            api.clock.withLock { $0 = morning + minutes * 60 }
            try await body(api)
        }
    }

    private func hear(_ minutes: ClosedRange<Int64>, _ api: TestAPI) throws {
        try api.hear(try #require(Self.badge), minutes, sequence: 1, room: "Hopper Hall")
    }

    @Test func `Whoever is heard in the room signs, once`() async throws {
        try await with(at: 20) { api in
            try hear(1...19, api)
            let student = try api.browser(.student, name: "Ann", number: "s1")
            let form = try await student.get("/check-in?room=Hopper+Hall")
            #expect(form.status == 200 && form.text.contains("name=\"room\" value=\"Hopper Hall\""))
            #expect(form.text.contains("from 15 minutes before it begins"))
            let signed = try await student.post("/check-in/sign", ["room": "hopper hall"])
            #expect(signed.status == 303)
            #expect(signed.headers["location"] == "/check-in?room=hopper%20hall&done=checked-in")
            let page = try await student.get("/check-in?room=hopper%20hall&done=checked-in").text
            #expect(page.contains("You are checked in to the lecture."))
            #expect(page.contains("checked in at Mon 2026-11-02 08:20"))
            let again = try await student.post("/check-in/sign", ["room": "Hopper Hall"])
            #expect(again.headers["location"]?.hasSuffix("done=already-checked-in") == true)
            #expect(try api.store.use { try $0.checkIns(student: "s1", since: 0) }.count == 1)
        }
    }

    @Test func `Whoever is not heard there is told so, and is not signed in`() async throws {
        try await with(at: 20) { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            let answer = try await student.post("/check-in/sign", ["room": "Hopper Hall"])
            #expect(answer.status == 422)
            #expect(answer.text.contains("Not in the room") && answer.text.contains("value=\"Hopper Hall\""))
            #expect(try api.store.use { try $0.checkIns(student: "s1", since: 0) }.isEmpty)
        }
    }

    /// The lecture of 8:00 is in another room than the one in `[[rooms]]`.
    private static let elsewhere = String(
        decoding: TestAPI.calendar([.init(uid: "physics-1", course: "Physics", room: "Attic Hall")]).bytes,
        as: UTF8.self)

    @Test func `In a room that is not set up nobody is told that they were not heard there`() async throws {
        try await TestAPI.withLectures(timetable: Self.elsewhere) { api in
            api.clock.withLock { $0 = morning + 20 * 60 }
            let student = try api.browser(.student, name: "Ann", number: "s1")
            let answer = try await student.post("/check-in/sign", ["room": "Attic Hall"])
            #expect(answer.status == 422)
            #expect(answer.text.contains("Nobody can check in to this room: Attic Hall is not set up for check-in."))
            #expect(answer.text.contains("Tell the lecturer.") && !answer.text.contains("was heard in"))
            #expect(try api.store.use { try $0.checkIns(student: "s1", since: 0) }.isEmpty)
        }
    }

    @Test func `A lecture can be signed for 15 minutes before it begins, and no earlier`() async throws {
        for (minutes, text) in [(-14, "Not in the room"), (-16, "No lecture now")] as [(Int64, String)] {
            try await with(at: minutes) { api in
                let student = try api.browser(.student, name: "Ann", number: "s1")
                let answer = try await student.post("/check-in/sign", ["room": "Hopper Hall"])
                #expect(answer.status == 422 && answer.text.contains(text), "\(minutes)")
                if minutes == -16 {
                    #expect(answer.text.contains("Your next lecture there is Physics, Mon 2026-11-02"))
                }
            }
        }
    }

    @Test func `A room without a lecture of theirs, or with an odd name, is no place to sign`() async throws {
        try await with(at: 20) { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            for room in ["Attic", "", "<script>alert(1)</script>", String(repeating: "x", count: 500)] {
                let answer = try await student.post("/check-in/sign", ["room": room])
                #expect(answer.status == 422 && answer.text.contains("No lecture now"))
                #expect(!answer.text.contains("<script>"))
            }
        }
    }

    @Test func `Who is on no roster, has no number, or asks where no attendance is kept, is told why`() async throws {
        try await with(at: 20) { api in
            for (number, text) in [("s9", "Your number is on no roster"), (nil, "has no student number")]
                as [(String?, String)]
            {
                let student = try api.browser(.student, name: "Cy", number: number)
                #expect(try await student.get("/check-in").text.contains(text))
                let answer = try await student.post("/check-in/sign", ["room": "Hopper Hall"])
                #expect(answer.status == 422 && answer.text.contains(text))
            }
        }
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await student.get("/check-in").text.contains("Attendance is not kept here"))
        }
    }

    @Test func `A link of a door survives the sign-in`() async throws {
        try await with(at: 20) { api in
            let answer = try await api.stranger.get("/check-in?room=HB+2.11")
            #expect(answer.status == 303)
            #expect(answer.headers["location"] == "/sign-in?to=%2Fcheck-in%3Froom%3DHB%2B2.11")
        }
    }
}
