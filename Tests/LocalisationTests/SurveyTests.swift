import FloorPlans
import TestValues
import Testing

@testable import Localisation

@Suite("Surveys")
struct SurveyTests {
    /// Readings at points of both rooms, where the left receiver hears 12 dB less in the right half of the left room.
    private func survey(power: Double = 0) -> [SurveyReading] {
        var readings: [SurveyReading] = []
        var time = 0.0
        for x in stride(from: 0.5, through: 9.5, by: 1) {
            for y in stride(from: 0.5, through: 4.5, by: 1) {
                time += 60
                let cell = TwoRooms.model.grids[0].index(of: PlanPoint(x: x, y: y))!
                for receiver in 0..<3 {
                    for _ in 0..<4 {
                        let level = TwoRooms.model.expected(floor: 0, receiver: receiver, cell: cell) + power
                        let shadow = receiver == 0 && (2.5..<5).contains(x) ? -12.0 : 0
                        readings.append(
                            SurveyReading(
                                badge: "b", floor: 0, position: PlanPoint(x: x, y: y), receiver: receiver,
                                rssi: level + shadow, time: time))
                    }
                }
            }
        }
        return readings
    }

    private func expected(_ model: BuildingModel, _ receiver: Int, _ x: Double, _ y: Double) throws -> Double {
        model.expected(
            floor: 0, receiver: receiver, cell: try #require(model.grids[0].index(of: PlanPoint(x: x, y: y))))
    }

    @Test(
        "a survey's residuals are learnt where somebody stood, whatever the badge's power", arguments: [-15.0, 0, 15])
    func residuals(power: Double) throws {
        let model = TwoRooms.model.surveyed(survey(power: power))
        let shadowed = try expected(model, 0, 3.5, 2.5) - expected(TwoRooms.model, 0, 3.5, 2.5)
        let clear = try expected(model, 0, 0.5, 2.5) - expected(TwoRooms.model, 0, 0.5, 2.5)
        #expect(shadowed - clear < -7)
    }

    @Test("cross-validation accepts a survey that helps")
    func accepted() throws {
        let check = try #require(SurveyCheck(TwoRooms.model, survey()))
        #expect(check.isImprovement && check.before.count == 50)
    }

    @Test("cross-validation refuses a survey that says nothing of other spots")
    func refused() throws {
        var random = SeededGenerator(seed: 1)
        var shadows: [PlanPoint: [Double]] = [:]
        var noise = survey()
        for index in noise.indices {
            let reading = noise[index]
            // Each spot has shadows of its own, such as those of people who stood in the way.
            if shadows[reading.position] == nil {
                shadows[reading.position] = (0..<3).map { _ in Bool.random(using: &random) ? 9 : -9 }
            }
            let cell = TwoRooms.model.grids[0].index(of: reading.position)!
            noise[index].rssi =
                TwoRooms.model.expected(floor: 0, receiver: reading.receiver, cell: cell)
                + shadows[reading.position]![reading.receiver]
        }
        let check = try #require(SurveyCheck(TwoRooms.model, noise))
        #expect(!check.isImprovement, "\(check)")
    }

    @Test("a few spots are too few to say anything")
    func few() {
        #expect(SurveyCheck(TwoRooms.model, Array(survey().prefix(24))) == nil)
    }

    @Test("receivers that hear a badge only now and then teach nothing there")
    func censored() throws {
        var readings = survey()
        // The right receiver hears one strong packet of four in the left room.
        readings.removeAll { $0.receiver == 1 && $0.position.x < 5 }
        for x in stride(from: 0.5, through: 4.5, by: 1) {
            readings.append(
                SurveyReading(
                    badge: "b", floor: 0, position: PlanPoint(x: x, y: 0.5), receiver: 1, rssi: -50,
                    time: readings.first { $0.position == PlanPoint(x: x, y: 0.5) }!.time))
        }
        let model = TwoRooms.model.surveyed(readings)
        #expect(try abs(expected(model, 1, 1.5, 0.5) - expected(TwoRooms.model, 1, 1.5, 0.5)) < 6)
    }

    @Test("means of what is heard are corrected by the share that is heard")
    func excess() {
        #expect(Censoring.excess(1) == 0)
        // Half of a normal distribution has a mean of √(2/π) deviations above the middle.
        #expect(abs(Censoring.excess(0.5) - 5.5 * 0.7979) < 1e-3)
        #expect(Censoring.excess(0.2) > Censoring.excess(0.3) && Censoring.excess(0) == Censoring.excess(0.08))
        #expect(Censoring.isTelling(6, of: 10) && Censoring.isTelling(2, of: 10))
        #expect(!Censoring.isTelling(1, of: 10) && !Censoring.isTelling(2, of: 100))
    }

    @Test("what spots of a room have in common holds for the room, and not behind its wall")
    func room() throws {
        var readings = survey()
        readings.removeAll {
            ($0.position.x, $0.position.y) != (0.5, 0.5) && ($0.position.x, $0.position.y) != (3.5, 4.5)
        }
        for index in readings.indices { readings[index].rssi -= readings[index].receiver == 1 ? 9 : 0 }
        let model = TwoRooms.model.surveyed(readings)
        let (same, other) = (
            try expected(model, 1, 4.5, 2.5) - expected(TwoRooms.model, 1, 4.5, 2.5),
            try expected(model, 1, 5.5, 2.5) - expected(TwoRooms.model, 1, 5.5, 2.5)
        )
        #expect(same < other - 1.5)
    }

    @Test("readings outside the floor, of unknown receivers, or that are no levels are ignored")
    func hostile() {
        let readings = [
            SurveyReading(badge: "b", floor: 9, position: PlanPoint(x: 1, y: 1), receiver: 0, rssi: -60, time: 0),
            SurveyReading(badge: "b", floor: 0, position: PlanPoint(x: .nan, y: 1), receiver: 0, rssi: -60, time: 0),
            SurveyReading(badge: "b", floor: 0, position: PlanPoint(x: 1e9, y: 1), receiver: 0, rssi: -60, time: 0),
            SurveyReading(badge: "b", floor: 0, position: PlanPoint(x: 1, y: 1), receiver: 77, rssi: -60, time: 0),
            SurveyReading(badge: "b", floor: 0, position: PlanPoint(x: 1, y: 1), receiver: 0, rssi: .nan, time: 0),
        ]
        let model = TwoRooms.model.surveyed(readings)
        #expect(
            model.expected(floor: 0, receiver: 0, cell: 300)
                == TwoRooms.model.expected(floor: 0, receiver: 0, cell: 300))
    }
}
