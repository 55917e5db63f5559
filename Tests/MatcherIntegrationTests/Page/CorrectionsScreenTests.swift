import Attendance
import InteractionStore
import Pages
import SignIn
import Testing

@testable import MatcherDaemon

@Suite("Corrections on the page", .timeLimit(.minutes(10))) struct CorrectionsScreenTests {
    private func correct(_ api: TestAPI, _ lecture: String, _ student: String, _ reason: String) throws {
        try api.store.use { store in
            try store.correct(
                Correction(
                    lecture: lecture, student: student, at: 1_793_606_400, by: "Lea", reason: reason, from: .absent,
                    to: .excused))
        }
    }

    @Test("Lecturers see the corrections at their own courses, officers all, and the audit has it")
    func courses() async throws {
        try await TestAPI.withLectures { api in
            try correct(api, "physics-1", "s1", "was ill")
            try correct(api, "chemistry-1", "s2", "was on an excursion")
            try correct(api, "gone-1", "s2", "is no longer taught")
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            #expect(try await lecturer.get("/lectures").text.contains("href=\"/corrections\""))
            let own = try await lecturer.get("/corrections")
            #expect(own.status == 200)
            #expect(own.text.contains("was ill") && own.text.contains("Ann Other"))
            #expect(!own.text.contains("excursion") && !own.text.contains("no longer taught"))
            let all = try await api.browser(.officer).get("/corrections").text
            for text in ["was ill", "was on an excursion", "not in the timetable: gone-1"] {
                #expect(all.contains(text), "\(text)")
            }
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry.detail } }
            #expect(details.contains("corrections of their own courses"))
            #expect(details.contains("corrections of all courses"))
        }
    }

    @Test("A correction of a lecture that was moved since is listed with its time") func moved() async throws {
        try await TestAPI.withLectures { api in
            let start: Int64 = 1_793_606_400
            try api.store.use { store in
                try store.correct(
                    Correction(
                        lecture: "physics-1", student: "s1",
                        time: LectureTime(start: start - 86_400, end: start - 81_000), at: start, by: "Lea",
                        reason: "was ill", from: .absent, to: .excused))
            }
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let sentence = "was ill (when the lecture was Sun 2026-11-01, "
            for path in ["/corrections", "/lecture?id=physics-1"] {
                let page = try await lecturer.get(path).text
                #expect(page.contains(sentence) && page.contains("so it does not count now)"), "\(path)")
            }
        }
    }

    @Test("A student who left the course is not named to its lecturer") func leftCourse() async throws {
        try await TestAPI.withLectures { api in
            try correct(api, "physics-1", "s2", "moved to another course")
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let own = try await lecturer.get("/corrections").text
            #expect(own.contains("moved to another course") && own.contains(">s2<"))
            #expect(!own.contains("Ben") && !own.contains("/timeline?"))
        }
    }

    @Test("Long lists are shown in parts, the latest first") func parts() async throws {
        try await TestAPI.withLectures { api in
            for number in 1...101 { try correct(api, "physics-1", "s1", "reason \(number).") }
            let officer = try api.browser(.officer)
            let first = try await officer.get("/corrections").text
            #expect(first.contains("reason 101.") && first.contains("reason 2.") && !first.contains("reason 1."))
            #expect(first.contains("href=\"/corrections?from=100\""))
            let second = try await officer.get("/corrections?from=100").text
            #expect(second.contains("reason 1.") && !second.contains("reason 2."))
            #expect(try await officer.get("/corrections?from=-9223372036854775808").status == 200)
        }
    }
}
