import FloorPlans
import Testing

@testable import Localisation

@Suite("A model with its survey")
struct SurveyedModelTests {
    /// Spots in both rooms or one, where the left receiver hears less than the plan says.
    private func spots(rooms: Set<Int> = [0, 1], count: Int = 6, loss: Double = 12) -> [SurveySpot] {
        rooms.sorted().flatMap { room in
            (0..<count).map { index in
                let position = PlanPoint(
                    x: Double(5 * room) + 0.7 + Double(index % 3) * 1.7, y: 1 + Double(index / 3) * 2.5)
                let cell = TwoRooms.model.grids[0].index(of: position)!
                return SurveySpot(
                    badge: "b", floor: "s/b/0", position: position, startedAt: Int64(100 * index + 1000 * room),
                    length: 30,
                    signals: TwoRooms.receivers.indices.map {
                        .init(
                            receiver: TwoRooms.receivers[$0].path,
                            rssi: TwoRooms.model.expected(floor: 0, receiver: $0, cell: cell) - ($0 == 0 ? loss : 0),
                            seconds: 30)
                    })
            }
        }
    }

    @Test("a survey that helps is used, and its floor counts as surveyed")
    func used() {
        let surveyed = SurveyedModel(TwoRooms.model, spots())
        #expect(surveyed.floors == [0])
        #expect(
            surveyed.model.expected(floor: 0, receiver: 0, cell: 300)
                != TwoRooms.model.expected(floor: 0, receiver: 0, cell: 300))
    }

    @Test("no spots are no survey, and a few are too few")
    func few() {
        #expect(SurveyedModel(TwoRooms.model, []).outcome == .none)
        #expect(SurveyedModel(TwoRooms.model, spots(rooms: [0], count: 3)).outcome == .tooFew(spots: 3))
    }

    @Test("spots of other floors and receivers are ignored")
    func foreign() {
        let others = spots().map { spot in
            var spot = spot
            spot.floor = "s/other/0"
            return spot
        }
        #expect(SurveyedModel(TwoRooms.model, others).outcome == .none)
        let unknown = spots().map { spot in
            var spot = spot
            spot.signals = spot.signals.map { .init(receiver: $0.receiver + "x", rssi: $0.rssi, seconds: .max) }
            return spot
        }
        #expect(SurveyedModel(TwoRooms.model, unknown).outcome == .none)
    }

    /// Modules in both rooms, of which the left receiver hears less than the plan says.
    private func modules(loss: Double = 12) -> [SurveySpot] {
        spots(count: 1, loss: loss).enumerated().map { index, spot in
            var spot = spot
            spot.badge = SurveySpot.modulePrefix + "s/b/0/m\(index)"
            return spot
        }
    }

    private func expected(_ surveyed: SurveyedModel) -> Double {
        surveyed.model.expected(floor: 0, receiver: 0, cell: 300)
    }

    @Test("modules are used without a survey, and their floor counts as surveyed")
    func modulesAlone() {
        let surveyed = SurveyedModel(TwoRooms.model, modules())
        #expect(surveyed.outcome == .none && surveyed.modules == 2 && surveyed.floors == [0])
        #expect(expected(surveyed) < TwoRooms.model.expected(floor: 0, receiver: 0, cell: 300) - 1)
    }

    @Test("modules that agree with a survey are used with it")
    func modulesAndSurvey() {
        let surveyed = SurveyedModel(TwoRooms.model, spots() + modules())
        guard case .used = surveyed.outcome else {
            Issue.record("\(surveyed.outcome)")
            return
        }
        #expect(surveyed.floors == [0])
    }

    @Test("modules that a survey contradicts are not used")
    func contradicted() {
        let surveyed = SurveyedModel(TwoRooms.model, spots() + modules(loss: -30))
        #expect(surveyed.modules == 0)
        guard case .used = surveyed.outcome else {
            Issue.record("\(surveyed.outcome)")
            return
        }
    }

    @Test("too few spots of a survey leave the modules")
    func fewAndModules() {
        let surveyed = SurveyedModel(TwoRooms.model, spots(rooms: [0], count: 3) + modules())
        #expect(surveyed.outcome == .tooFew(spots: 3) && surveyed.modules == 2)
    }

    @Test("a survey of one floor says nothing against modules of another")
    func otherFloor() {
        let model = TwoRooms.twoFloors
        let above = modules().map { spot in
            var spot = spot
            (spot.badge, spot.floor) = (spot.badge.replacing("s/b/0", with: "s/b/1"), "s/b/1")
            spot.signals = spot.signals.map {
                .init(receiver: $0.receiver.replacing("s/b/0", with: "s/b/1"), rssi: $0.rssi, seconds: $0.seconds)
            }
            return spot
        }
        let surveyed = SurveyedModel(model, spots() + modules(loss: -30) + above)
        #expect(surveyed.modules == 2 && surveyed.floors == [0, 1])
    }
}
