import FloorPlans
import Localisation
import Matching
import Pages
import SignIn
import Testing

@testable import InteractionStore
@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Rooms on the page of a person", .timeLimit(.minutes(10))) struct PersonStaysTests {
    @Test("Officers see in which rooms a person was, in local time, and the audit has it")
    func rooms() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 0...5, sequence: 1)
            let stay = SettledStay(
                start: morning, end: morning + 900, floor: "campus/main/1", room: "lab", probability: 0.75,
                position: PlanPoint(x: 1, y: 2), radius: 3, isSurveyed: false, rooms: SettledSquares())
            try api.store.use { store in
                let number = try #require(try store.numbers(of: [badge])[badge])
                try store.setLocatedStays(
                    [number: (morning, [stay])], powers: [:], of: [number: badge], in: "campus/main",
                    .init(block: ReadingBlock(containing: morning), revision: 0))
            }
            let officer = try api.browser(.officer)
            let path = "/person?subject=" + FormFields.encode(badge.description)
            let plain = try await officer.get(path).text
            #expect(plain.contains("stays=1\">Show in which rooms") && !plain.contains(">lab<"))
            let shown = try await officer.get(path + "&stays=1").text
            for text in ["Mon 2026-11-02 08:00 to 08:15", ">lab<", "campus/main/1", "75 %"] {
                #expect(shown.contains(text), "\(text)")
            }
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry.detail } }
            #expect(details.filter { $0 == "with rooms" }.count == 1)
            #expect(try await api.browser(.operator).get(path + "&stays=1").status == 403)
        }
    }
}
