import FloorPlans
import Testing

@testable import Localisation

@Suite("What counts as an improvement by a survey") struct SurveyRuleTests {
    private func figures(rooms: Double, error: Double, score: Double) -> SurveyCheck.Figures {
        .init(count: 10, roomAccuracy: rooms, meanError: error, score: score)
    }

    private func check(
        rooms: (Double, Double) = (0.8, 0.8), error: (Double, Double), score: (Double, Double) = (-4, -3),
        hasRooms: Bool = true
    ) -> SurveyCheck {
        SurveyCheck(
            before: figures(rooms: rooms.0, error: error.0, score: score.0),
            after: figures(rooms: rooms.1, error: error.1, score: score.1), hasRooms: hasRooms)
    }

    @Test func `A survey on a floor without rooms that makes errors larger is not used`() {
        #expect(!check(rooms: (1, 1), error: (2, 5), hasRooms: false).isImprovement)
        #expect(check(rooms: (1, 1), error: (2, 2), hasRooms: false).isImprovement)
        #expect(check(rooms: (1, 1), error: (2, 1), hasRooms: false).isImprovement)
        #expect(!check(rooms: (1, 1), error: (2, 1), score: (-3, -4), hasRooms: false).isImprovement)
    }

    @Test func `Where there are rooms they may outweigh the mean error`() {
        #expect(check(error: (2, 2.2)).isImprovement)
        #expect(check(rooms: (0.8, 0.7), error: (2, 1.8)).isImprovement)
        #expect(!check(rooms: (0.8, 0.7), error: (2, 2.2)).isImprovement)
    }

    @Test func `Modules that make rooms worse are not added, however sure they are`() {
        let alone = check(rooms: (0.7, 0.9), error: (3, 1.5))
        let worse = check(rooms: (0.7, 0.8), error: (3, 2), score: (-4, -2))
        #expect(worse.isImprovement && !worse.isImprovement(over: alone))
        let better = check(rooms: (0.7, 0.9), error: (3, 1.4), score: (-4, -2))
        #expect(better.isImprovement(over: alone))
    }

    @Test func `Rooms say something on a floor that is divided into some`() throws {
        func hasRooms(_ plan: FloorPlan) throws -> Bool {
            let model = BuildingModel(plans: [plan], receivers: TwoRooms.receivers)
            let readings = (0..<6).map { spot in
                SurveyReading(
                    badge: "b", floor: 0, position: PlanPoint(x: 1 + Double(spot), y: 2), receiver: 0, rssi: -60,
                    time: Double(60 * spot))
            }
            return try #require(SurveyCheck(model, readings)).hasRooms
        }
        var open = TwoRooms.plan
        (open.rooms, open.doors) = ([], [])
        #expect(try hasRooms(TwoRooms.plan))
        #expect(try !hasRooms(open))
        open.rooms = [FloorPlan.Room(name: "hall", polygon: open.outline)]
        #expect(try !hasRooms(open))
    }

    @Test func `The sum of checks weighs them by their positions`() {
        var large = check(error: (4, 2))
        (large.before.count, large.after.count) = (30, 30)
        let sum = SurveyCheck(sumOf: [check(error: (8, 6), hasRooms: false), large])
        #expect(sum.before.count == 40 && sum.hasRooms)
        #expect(abs(sum.before.meanError - 5) < 1e-9 && abs(sum.after.meanError - 3) < 1e-9)
    }
}
