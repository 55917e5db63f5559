import FloorPlans
import Localisation
import TestValues
import Testing

/// A simulated building with three floors. Simulation and estimator share the plan, the positions of receivers, and
/// that levels fall with the logarithm of the distance; nothing else.
@Suite("Places in a simulated building")
struct BuildingSimulationTests {
    /// Shares of time in which the floor and the room are right.
    private struct Result {
        var seconds = 0
        var floors = 0
        var rooms = 0
        var settled = 0
        var settledRooms = 0

        mutating func add(_ other: Result) {
            seconds += other.seconds
            floors += other.floors
            rooms += other.rooms
            settled += other.settled
            settledRooms += other.settledRooms
        }

        /// Shares in per mille.
        var text: String {
            let shares = [floorShare, roomShare, settledShare].map { "\(Int($0 * 1000))" }
            return "floor, room, settled room " + shares.joined(separator: ", ") + " of 1000"
        }

        var floorShare: Double { Double(floors) / Double(max(1, seconds)) }
        var roomShare: Double { Double(rooms) / Double(max(1, seconds)) }
        var settledShare: Double { Double(settledRooms) / Double(max(1, settled)) }
    }

    /// Lets people go from room to room, and compares where they are with where each model finds them.
    private func walk(
        _ building: SimulatedBuilding, _ models: [BuildingModel], people: Int, loss: Double,
        _ random: inout SeededGenerator
    ) -> [Result] {
        var results = models.map { _ in Result() }
        var scratch = FilterScratch()
        var settledScratch = FilterScratch()
        for _ in 0..<people {
            let power = -62 + Double.random(in: -6...6, using: &random)
            let day = day(building, power: power, loss: loss, &random)
            for (index, model) in models.enumerated() {
                var filter = SubjectFilter(model)
                var settled = SettledFilter(model)
                for (second, (spot, signals)) in day.enumerated() {
                    let time = Double(second)
                    filter.step(model, building.window(signals, end: time), scratch: &scratch)
                    if let estimate = Estimate(model, filter.floors, flattening: model.settings.flattening) {
                        results[index].seconds += 1
                        if estimate.floor == spot.floor {
                            results[index].floors += 1
                            if estimate.best.room == building.room(spot) { results[index].rooms += 1 }
                        }
                    }
                    for one in settled.add(model, building.window(signals, end: time), scratch: &settledScratch) {
                        let spot = day[Int(one.time)].spot
                        results[index].settled += 1
                        if one.estimate.floor == spot.floor, one.estimate.best.room == building.room(spot) {
                            results[index].settledRooms += 1
                        }
                    }
                }
            }
        }
        return results
    }

    /// Three stays of some minutes, with the ways between them.
    private func day(
        _ building: SimulatedBuilding, power: Double, loss: Double, _ random: inout SeededGenerator
    ) -> [(spot: SimulatedBuilding.Spot, signals: [HeardSignal])] {
        var day: [(spot: SimulatedBuilding.Spot, signals: [HeardSignal])] = []
        var here = randomSpot(building, &random)
        for _ in 0..<3 {
            let posture = building.posture(&random)
            for _ in 0..<Int.random(in: 120...480, using: &random) {
                day.append((here, building.hear(here, posture, power: power, loss: loss, &random)))
            }
            let next = randomSpot(building, &random)
            for spot in building.way(from: here, to: next) {
                // Whoever walks has other shadows at each step.
                day.append(
                    (spot, building.hear(spot, building.posture(&random), power: power, loss: loss, &random)))
            }
            here = next
        }
        return day
    }

    private func randomSpot(_ building: SimulatedBuilding, _ random: inout SeededGenerator) -> SimulatedBuilding.Spot {
        building.randomSpot(
            in: .random(in: 0..<SimulatedBuilding.rooms, using: &random),
            floor: .random(in: 0..<SimulatedBuilding.floors, using: &random), &random)
    }

    /// A person with a known badge stands for half a minute at four spots of each room.
    private func survey(_ building: SimulatedBuilding, _ random: inout SeededGenerator) -> [SurveyReading] {
        var readings: [SurveyReading] = []
        var time = 0.0
        for floor in 0..<SimulatedBuilding.floors {
            for room in 0..<SimulatedBuilding.rooms {
                for _ in 0..<4 {
                    let spot = building.randomSpot(in: room, floor: floor, &random)
                    for second in 0..<30 {
                        time += 1
                        // People turn while they stand.
                        let posture = building.posture(&random)
                        guard second % 3 == 0 else { continue }
                        for signal in building.hear(spot, posture, power: -60, loss: 0.1, &random) {
                            readings.append(
                                SurveyReading(
                                    badge: "b", floor: floor, position: spot.position, receiver: signal.receiver,
                                    rssi: signal.rssi, time: time))
                        }
                    }
                    time += 60
                }
            }
        }
        return readings
    }

    @Test("floor and room are right without a survey, and more often with one", arguments: [0.1, 0.4])
    func rooms(loss: Double) throws {
        var random = SeededGenerator("Places, rooms")
        var plain = Result()
        var surveyed = Result()
        var refused = 0
        for _ in 0..<TestScale.amount(3, full: 12) {
            let building = SimulatedBuilding(seed: random.next())
            let model = BuildingModel(plans: building.plans, receivers: building.receivers)
            let readings = survey(building, &random)
            let check = try #require(SurveyCheck(model, readings))
            // A survey that adds nothing to a building that the presets fit is refused.
            refused += check.isImprovement ? 0 : 1
            let results = walk(
                building, [model, model.surveyed(readings)], people: TestScale.amount(5, full: 20), loss: loss, &random)
            plain.add(results[0])
            surveyed.add(results[1])
        }
        // The figures at full scale are in docs/accuracy.md. Daily there are few stays, so the limits are wide.
        #expect(plain.floorShare > 0.93 && surveyed.floorShare > 0.93, random.comment)
        #expect(plain.settledShare > (TestScale.isFull ? 0.65 : 0.4), random.comment)
        #expect(surveyed.settledShare > (TestScale.isFull ? 0.75 : 0.5), random.comment)
        expectHelp(of: surveyed, to: plain, random.comment)
        print("loss \(loss): \(plain.text), surveyed \(surveyed.text), \(refused) refused")
    }

    @Test("a survey helps whatever shadows have in common", arguments: SimulatedBuilding.Shadowing.allCases)
    func shadows(shadowing: SimulatedBuilding.Shadowing) {
        let (plain, surveyed, comment) = compare("Places, shadows", shadowing) { building, model, random in
            model.surveyed(survey(building, &random))
        }
        print("shadows \(shadowing): \(plain.text), surveyed \(surveyed.text)")
        #expect(surveyed.settledShare > (TestScale.isFull ? 0.75 : 0.35), comment)
        expectHelp(of: surveyed, to: plain, comment)
    }

    /// Lets people walk in some buildings, with and without a correction of their models.
    private func compare(
        _ purpose: String, _ shadowing: SimulatedBuilding.Shadowing,
        _ correct: (SimulatedBuilding, BuildingModel, inout SeededGenerator) -> BuildingModel
    ) -> (plain: Result, corrected: Result, comment: Comment) {
        var random = SeededGenerator(purpose)
        var plain = Result()
        var corrected = Result()
        for _ in 0..<TestScale.amount(2, full: 8) {
            let building = SimulatedBuilding(seed: random.next(), shadowing)
            let model = BuildingModel(plans: building.plans, receivers: building.receivers)
            let better = correct(building, model, &random)
            let results = walk(
                building, [model, better], people: TestScale.amount(2, full: 10), loss: 0.1, &random)
            plain.add(results[0])
            corrected.add(results[1])
        }
        return (plain, corrected, random.comment)
    }

    /// Daily there are a dozen stays, of which two or three can be found less well by chance.
    private func expectHelp(of corrected: Result, to plain: Result, _ comment: Comment) {
        #expect(corrected.settledShare > plain.settledShare - (TestScale.isFull ? 0.03 : 0.35), comment)
    }

    /// What receivers hear of modules that hang beside them: for half a minute, in which nothing moves.
    private func modules(_ building: SimulatedBuilding, _ random: inout SeededGenerator) -> [SurveySpot] {
        var levels: [MutualLevel] = []
        for (index, site) in building.receivers.enumerated() {
            let power = -60 + Double.random(in: -3...3, using: &random)
            let posture = building.posture(&random)
            var sums: [Int: (sum: Double, count: Int)] = [:]
            for _ in 0..<30 {
                let spot = SimulatedBuilding.Spot(floor: site.floor, position: site.position)
                for signal in building.hear(spot, posture, power: power, loss: 0.1, &random)
                where signal.receiver != index {
                    sums[signal.receiver, default: (0, 0)].sum += signal.rssi
                    sums[signal.receiver]!.count += 1
                }
            }
            levels += sums.sorted { $0.key < $1.key }.map { receiver, sum in
                MutualLevel(
                    beacon: site.path, receiver: building.receivers[receiver].path,
                    rssi: sum.sum / Double(sum.count), minutes: sum.count)
            }
        }
        return SurveySpot.ofModules(at: building.receivers, building.plans, levels: levels, now: 0)
    }

    @Test("modules at receivers help as a survey does", arguments: SimulatedBuilding.Shadowing.allCases)
    func modules(shadowing: SimulatedBuilding.Shadowing) {
        let (plain, corrected, comment) = compare("Places, modules", shadowing) { building, model, random in
            let surveyed = SurveyedModel(model, modules(building, &random))
            #expect(surveyed.modules > 12 && surveyed.floors.count == SimulatedBuilding.floors, random.comment)
            return surveyed.model
        }
        print("modules, shadows \(shadowing): \(plain.text), with modules \(corrected.text)")
        #expect(corrected.settledShare > (TestScale.isFull ? 0.65 : 0.3), comment)
        expectHelp(of: corrected, to: plain, comment)
    }

    @Test("somebody who sits for eight hours is hardly ever shown in another room")
    func atRest() {
        var random = SeededGenerator("Places, at rest")
        let building = SimulatedBuilding(seed: random.next())
        let model = BuildingModel(plans: building.plans, receivers: building.receivers)
        var scratch = FilterScratch()
        var changes = 0
        let people = TestScale.amount(6, full: 40)
        for _ in 0..<people {
            let spot = building.randomSpot(
                in: .random(in: 0..<SimulatedBuilding.rooms, using: &random),
                floor: .random(in: 0..<SimulatedBuilding.floors, using: &random), &random)
            var posture = building.posture(&random)
            let power = -62 + Double.random(in: -6...6, using: &random)
            var filter = SubjectFilter(model)
            var stillness = Stillness()
            var shown = ShownRoom()
            var last: ShownRoom.Place?
            for second in 0..<(8 * 3600) {
                // People turn on their chair every ten minutes, and the air changes a little.
                if second % 600 == 0 {
                    posture.heading += SimulatedBuilding.normal(0.7, &random)
                    for index in posture.shadows.indices {
                        posture.shadows[index] += SimulatedBuilding.normal(0.5, &random)
                    }
                }
                let time = Double(second)
                let signals = building.hear(spot, posture, power: power, loss: 0.3, &random)
                filter.step(model, building.window(signals, end: time), scratch: &scratch)
                let isAtRest = stillness.update(signals, time: time)
                guard let estimate = Estimate(model, filter.floors, flattening: model.settings.flattening) else {
                    continue
                }
                let place = shown.update(estimate, time: time, isAtRest: isAtRest)
                guard case .room = place else { continue }
                if let last, last != place { changes += 1 }
                last = place
            }
        }
        print("at rest: \(changes) changes of \(people) people")
        // A few people in one building say less than many.
        #expect(Double(changes) / Double(people) < (TestScale.isFull ? 2 : 4), random.comment)
    }
}
