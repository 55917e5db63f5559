import FloorPlans
import OperatorText
import Pages
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("What the page says of surveys") struct SurveyWordsTests {
    private static func plan(_ building: String) -> FloorPlan {
        FloorPlan(
            site: "campus", building: building, floor: "1",
            outline: PlanPolygon([
                PlanPoint(x: 0, y: 0), PlanPoint(x: 6, y: 0), PlanPoint(x: 6, y: 4), PlanPoint(x: 0, y: 4),
            ]), rooms: [])
    }

    private static func findings(_ building: String, isNone: Bool = false) -> SurveyFindings {
        SurveyFindings(
            building: "campus/\(building)", text: isNone ? "none" : "used on 1 floor", figures: [], unsurveyed: nil,
            isNone: isNone)
    }

    /// Returns what is said of buildings `a` and `b`.
    private func texts(_ findings: [SurveyFindings], surveyed floors: [String]) -> [String: String] {
        let words = SurveyWords(days: .utc, plans: [Self.plan("b"), Self.plan("a")])
        return Dictionary(
            words.buildings(findings, surveyed: floors).map { ($0.name, $0.text) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test("A building without spots is left out, though it has a model") func unsurveyed() {
        let found = [Self.findings("a"), Self.findings("b", isNone: true)]
        #expect(texts(found, surveyed: ["campus/a/1"]) == ["campus/a": "used on 1 floor"])
    }

    @Test("A building whose model is not built yet says so, beside one that has findings") func unbuilt() {
        let said = texts([Self.findings("a")], surveyed: ["campus/a/1", "campus/b/1"])
        #expect(said == ["campus/a": "used on 1 floor", "campus/b": SurveyWords.unbuilt])
    }

    @Test("A model that knows no spot does not say that there is no survey") func unheard() {
        let said = texts([Self.findings("a", isNone: true)], surveyed: ["campus/a/1"])
        #expect(said == ["campus/a": SurveyWords.unheard])
    }

    @Test("Spots on floors without a plan name no building") func unknown() {
        #expect(texts([], surveyed: ["campus/c/1"]).isEmpty)
    }
}
