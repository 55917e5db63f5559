import FloorPlans
import TestValues
import Testing

@testable import Localisation

/// Surveys of two equal floors above each other, each with receivers that hear only their own floor.
@Suite("Surveys of several floors") struct SurveyedFloorsTests {
    private static let model = TwoRooms.twoFloors

    /// Returns the spots of a floor: a grid over the rooms, each with what receivers hear besides the expected levels.
    private func spots(_ floor: Int, _ shadows: (PlanPoint) -> [Double]) -> [SurveySpot] {
        var spots: [SurveySpot] = []
        for x in stride(from: 0.5, through: 9.5, by: 1) {
            for y in stride(from: 0.5, through: 4.5, by: 1) {
                let position = PlanPoint(x: x, y: y)
                let cell = TwoRooms.model.grids[0].index(of: position)!
                let shadow = shadows(position)
                spots.append(
                    SurveySpot(
                        badge: "b", floor: "s/b/\(floor)", position: position,
                        startedAt: Int64(100_000 * floor + 60 * (spots.count + 1)), length: 30,
                        signals: (0..<3).map { receiver in
                            SurveySpot.Signal(
                                receiver: Self.model.receivers[3 * floor + receiver].path,
                                rssi: TwoRooms.model.expected(floor: 0, receiver: receiver, cell: cell)
                                    + shadow[receiver],
                                seconds: 4)
                        }))
            }
        }
        return spots
    }

    /// A survey that helps: the left receiver hears less in half of the left room.
    private func helpful(_ floor: Int) -> [SurveySpot] {
        spots(floor) { [(2.5..<5).contains($0.x) ? -12 : 0, 0, 0] }
    }

    /// A survey that says nothing of other spots: each has shadows of its own.
    private func useless(_ floor: Int) -> [SurveySpot] {
        var random = SeededGenerator(seed: 1)
        return spots(floor) { _ in (0..<3).map { _ in Bool.random(using: &random) ? 9 : -9 } }
    }

    private func isPlain(_ surveyed: SurveyedModel, floor: Int) -> Bool {
        (0..<3).allSatisfy { receiver in
            surveyed.model.expected(floor: floor, receiver: 3 * floor + receiver, cell: 300)
                == Self.model.expected(floor: floor, receiver: 3 * floor + receiver, cell: 300)
        }
    }

    @Test(arguments: [0, 1])
    func `A wrong survey of one floor is left out, and that of the other floor is used`(good: Int) {
        let surveyed = SurveyedModel(Self.model, helpful(good) + useless(1 - good))
        #expect(surveyed.floors == [good] && surveyed.leftOut == [1 - good])
        #expect(!isPlain(surveyed, floor: good) && isPlain(surveyed, floor: 1 - good))
        guard case .used(let check) = surveyed.outcome, case .refused(let other)? = surveyed.outcomes[1 - good] else {
            Issue.record("\(surveyed.outcome) \(surveyed.outcomes)")
            return
        }
        #expect(check.isImprovement && check.before.count == 50)
        #expect(!other.isImprovement && other.before.count == 50)
    }

    @Test func `Surveys of two floors that help are used together`() {
        let surveyed = SurveyedModel(Self.model, helpful(0) + helpful(1))
        #expect(surveyed.floors == [0, 1] && surveyed.leftOut.isEmpty)
        guard case .used(let check) = surveyed.outcome else {
            Issue.record("\(surveyed.outcome)")
            return
        }
        #expect(check.before.count == 100)
    }

    @Test func `Two surveys that are both wrong are refused with the figures of both`() {
        let surveyed = SurveyedModel(Self.model, useless(0) + useless(1))
        #expect(surveyed.floors.isEmpty && surveyed.leftOut == [0, 1])
        #expect(isPlain(surveyed, floor: 0) && isPlain(surveyed, floor: 1))
        guard case .refused(let check) = surveyed.outcome else {
            Issue.record("\(surveyed.outcome)")
            return
        }
        #expect(check.before.count == 100)
    }

    @Test func `A floor with fewer than five spots is not carried by another floor`() {
        let surveyed = SurveyedModel(Self.model, helpful(0) + Array(helpful(1).prefix(4)))
        #expect(surveyed.floors == [0] && surveyed.outcomes[1] == SurveyedModel.Outcome.tooFew(spots: 4))
        #expect(isPlain(surveyed, floor: 1))
    }

    @Test func `Floors with few spots each are too few together`() {
        let surveyed = SurveyedModel(Self.model, Array(helpful(0).prefix(3)) + Array(helpful(1).prefix(4)))
        #expect(surveyed.outcome == .tooFew(spots: 4) && surveyed.floors.isEmpty)
    }
}
