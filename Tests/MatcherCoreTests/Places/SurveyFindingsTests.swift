import FloorPlans
import Testing

@testable import Localisation
@testable import MatcherCore

@Suite("What is said of surveys") struct SurveyFindingsTests {
    private static let plan = FloorPlan(
        site: "s", building: "b", floor: "0",
        outline: PlanPolygon([
            PlanPoint(x: 0, y: 0), PlanPoint(x: 6, y: 0), PlanPoint(x: 6, y: 4), PlanPoint(x: 0, y: 4),
        ]),
        rooms: [
            .init(
                name: "A",
                polygon: PlanPolygon([
                    PlanPoint(x: 0, y: 0), PlanPoint(x: 3, y: 0), PlanPoint(x: 3, y: 4), PlanPoint(x: 0, y: 4),
                ]))
        ])

    private func spot(x: Double, floor: String = "s/b/0") -> SurveySpot {
        SurveySpot(
            badge: "b", floor: floor, position: PlanPoint(x: x, y: 2), startedAt: 0, length: 30, signals: [])
    }

    @Test("Without a survey there are no figures") func none() {
        let findings = SurveyFindings(
            "s/b", SurveyedModel(BuildingModel(plans: [Self.plan], receivers: []), []))
        #expect(findings.building == "s/b" && findings.text == "none")
        #expect(findings.figures.isEmpty && findings.unsurveyed == nil && findings.isNone)
    }

    private func check(before: Double, after: Double) -> SurveyCheck {
        func figures(_ meanError: Double) -> SurveyCheck.Figures {
            SurveyCheck.Figures(count: 15, roomAccuracy: 0.5, meanError: meanError, score: -2)
        }
        return SurveyCheck(before: figures(before), after: figures(after), hasRooms: true)
    }

    @Test("Errors have one digit after the point, also where it is zero") func digits() {
        let text = SurveyedModel.Outcome.used(check(before: 8.8, after: 1.02)).text(floors: 1, modules: 0)
        #expect(text == "used on 1 floor: error 8.8 m before, 1.0 m with it")
    }

    @Test("A survey that is used says so before a floor counts as surveyed") func noFloor() {
        let check = self.check(before: 2, after: 1)
        #expect(
            SurveyedModel.Outcome.used(check).text(floors: 0, modules: 0)
                == "used, but no floor counts as surveyed: error 2.0 m before, 1.0 m with it")
        #expect(
            SurveyedModel.Outcome.none.text(floors: 0, modules: 2)
                == "none, 2 modules used, but no floor counts as surveyed")
    }

    @Test(
        "A survey that is not used says why, in words that fit its figures",
        arguments: [
            (3.02, 3.04, "it does not make positions better: error 3.0 m before, 3.0 m with it"),
            (3.0, 4.0, "it makes positions worse: error 3.0 m before, 4.0 m with it"),
            (4.0, 3.0, "it does not make true positions more probable: error 4.0 m before, 3.0 m with it"),
        ])
    func refused(before: Double, after: Double, text: String) {
        let outcome = SurveyedModel.Outcome.refused(check(before: before, after: after))
        #expect(outcome.text(floors: 0, modules: 0) == "not used, " + text)
    }

    @Test("A floor with a spot that is used, but in no room, is named as not surveyed") func unsurveyed() {
        let site = ReceiverSite(path: "s/b/0/east", floor: 0, position: PlanPoint(x: 1, y: 1))
        var module = spot(x: 5)
        module.badge = SurveySpot.modulePrefix + "s/b/0/west"
        module.signals = [.init(receiver: site.path, rssi: -60, seconds: 30)]
        let surveyed = SurveyedModel(BuildingModel(plans: [Self.plan], receivers: [site]), [module])
        #expect(surveyed.modules == 1 && surveyed.floors.isEmpty)
        let findings = SurveyFindings("s/b", surveyed)
        #expect(findings.text == "none, 1 module used, but no floor counts as surveyed")
        #expect(findings.unsurveyed == "not surveyed: s/b/0: half of the rooms need a spot")
    }

    @Test("A spot is in the room that holds it, or in none") func rooms() {
        #expect(spot(x: 1).room(in: [Self.plan]) == "A")
        #expect(spot(x: 5).room(in: [Self.plan]) == nil)
        #expect(spot(x: 1, floor: "s/b/1").room(in: [Self.plan]) == nil)
    }
}
