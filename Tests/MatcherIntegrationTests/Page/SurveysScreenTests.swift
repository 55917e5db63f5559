import FloorPlans
import InteractionStore
import Localisation
import Pages
import SignIn
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Surveys on the page", .timeLimit(.minutes(10))) struct SurveysScreenTests {
    private static let badge = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99"

    private func with(
        _ keys: String = "", isolation: isolated (any Actor)? = #isolation,
        _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await TestAPI.with(
            configuration: TestAPI.pageConfiguration + "[localisation]\nplan = \"floors.toml\"\n\(keys)",
            files: ["floors.toml": SurveyedFloor.plan], body)
    }

    private func spot(_ badge: String, x: Double) -> SurveySpot {
        SurveySpot(
            badge: badge, floor: "campus/main/1", position: PlanPoint(x: x, y: 3), startedAt: morning, length: 30,
            signals: [.init(receiver: "campus/main/1/east", rssi: -60, seconds: 30)])
    }

    @Test("Operators see spots with rooms and the local time, and no badges") func list() async throws {
        try await with { api in
            try api.store.use { store in
                _ = try store.add(spot(Self.badge, x: 2.5))
                _ = try store.add(spot(SurveySpot.modulePrefix + "campus/main/1/hall", x: 9))
            }
            let browser = try api.browser(.operator)
            #expect(try await browser.get("/floors").text.contains("href=\"/surveys\""))
            let page = try await browser.get("/surveys")
            #expect(page.status == 200)
            for text in [
                "Spots: 2.", "<td data-label=\"Room\">West</td>", "2.5 m", "Mon 2026-11-02 08:00",
                "somebody with a badge", "module at campus/main/1/hall", "beacon-matcher survey check",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(!page.text.contains(Self.badge))
        }
    }

    @Test("Every spot is on one of the pages, and each of them is small") func parts() async throws {
        try await with { api in
            try api.store.use { store in
                for number in 0..<130 { _ = try store.add(spot(Self.badge, x: Double(number) / 10)) }
            }
            let browser = try api.browser(.operator)
            let first = try await browser.get("/surveys")
            #expect(first.text.contains("Spots 1 to 100 of 130.") && first.text.contains("href=\"/surveys?from=100\""))
            #expect(first.body.count < 60_000, "\(first.body.count)")
            let last = try await browser.get("/surveys?from=100")
            #expect(last.text.contains("Spots 101 to 130 of 130.") && !last.text.contains("from=130"))
            #expect(last.text.contains("<th scope=\"row\" class=\"number\">101</th>"))
        }
    }

    @Test("A building with a survey and without a model says so, and one without a survey is not named")
    func unbuilt() async throws {
        try await with("live = [\"badge\"]\n") { api in
            let browser = try api.browser(.operator)
            #expect(try await !browser.get("/surveys").text.contains("<h2>campus/main</h2>"))
            _ = try api.store.use { try $0.add(spot(Self.badge, x: 2.5)) }
            let page = try await browser.get("/surveys")
            #expect(page.text.contains("<h2>campus/main</h2>\n<p>Survey: \(SurveyWords.unbuilt).</p>"))
            #expect(!page.text.contains("class=\"notice\""))
        }
    }

    @Test("Officers see neither the surveys nor a link to them") func refused() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            #expect(try await !officer.get("/floors").text.contains("href=\"/surveys\""))
            #expect(try await officer.get("/surveys").status == 403)
        }
    }

    @Test("Without spots the page says that there is no survey") func none() async throws {
        try await with { api in
            let page = try await api.browser(.operator).get("/surveys")
            #expect(page.text.contains("There is no survey.") && !page.text.contains("class=\"notice\""))
        }
    }
}
