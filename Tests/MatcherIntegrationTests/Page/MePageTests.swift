import Evidence
import InteractionStore
import Matching
import Pages
import RecordContract
import SignIn
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("A student's own page", .timeLimit(.minutes(10))) struct MePageTests {
    /// An interaction of the student's badge.
    private func record(_ number: Int64, from start: Int64, to end: Int64) throws -> ReceivedRecord {
        let path = "campus/main/2/east"
        return .interaction(
            InteractionRecord(
                position: RecordPosition(boot: 1, sequence: UInt64(number)), gateway: path, origin: path + "/1",
                number: number,
                place: PlaceName(
                    key: path, site: "campus", building: "main", floor: "2", gateway: path, room: "Hopper Hall"),
                subject: try #require(SubjectIdentity(TestAPI.badgeOfStudent)), start: start, end: end,
                state: .departed, samples: 10, distance: .init(centimetres: 100, lower: 50, upper: 200)))
    }

    @Test func `An account without a number, or with an unknown one, is told what to do`() async throws {
        try await TestAPI.withLectures { api in
            let without = try await api.browser(.student, name: "Ann").get("/me")
            #expect(without.status == 200)
            #expect(without.text.contains("Your account has no student or staff number"))
            let unknown = try await api.browser(.student, name: "Cy", number: "s9").get("/me")
            #expect(unknown.text.contains("Your number is not in the register of people"))
            #expect(!unknown.text.contains("What to do"))
        }
    }

    @Test func `Whoever is only on the roster has the badge of the roster`() async throws {
        try await TestAPI.withLectures { api in
            let page = try await api.browser(.student, name: "Ann", number: "s1").get("/me").text
            #expect(page.contains(String(TestAPI.badgeOfStudent.dropFirst(6))))
            // It was never heard: that is no all-clear.
            #expect(page.contains("Not known") && page.contains("Your badge was not heard"))
            #expect(page.contains("Your attendance") && page.contains("Physics"))
        }
    }

    @Test func `A badge that was heard has its day, and no place is named`() async throws {
        try await TestAPI.withLectures { api in
            let (start, now) = (morning + 60, morning + 4 * 3600)
            let stay = try record(1, from: start, to: start + 600)
            _ = try api.store.use { try $0.store([stay], now: now) }
            let page = try await api.browser(.student, name: "Ann", number: "s1").get("/me").text
            #expect(page.contains("Your badge was last heard on Mon 2026-11-02."))
            #expect(page.contains("No exposure known"))
            for place in ["Hopper Hall", "campus", "east"] { #expect(!page.contains(place), "\(place)") }
        }
    }

    @Test func `A student sees nobody else's page`() async throws {
        try await TestAPI.withLectures { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            for path in ["/lectures", "/lecture?id=physics-1", "/timeline?student=s1", "/lecture.csv?id=physics-1"] {
                #expect(try await student.get(path).status == 403, "\(path)")
            }
        }
    }
}
