import FloorPlans
import Localisation
import TestValues
import Testing

/// People in and around simulated rooms with receivers on both sides of their walls, told by the filter, by a simple
/// rule, and by both together.
@Suite("Inside or outside of a simulated room")
struct RoomSimulationTests {
    /// How often a method is right, and how often it changes.
    private struct Score {
        private var counts = [0, 0, 0, 0]
        private var changes = 0
        private var trueChanges = 0

        mutating func add(_ guesses: [Bool], _ truth: [Bool]) {
            for (guess, isInside) in zip(guesses, truth) { counts[(isInside ? 2 : 0) + (guess ? 1 : 0)] += 1 }
            changes += zip(guesses, guesses.dropFirst()).count { $0 != $1 }
            trueChanges += zip(truth, truth.dropFirst()).count { $0 != $1 }
        }

        /// Mean F1 of inside and outside.
        var f1: Double {
            let wrong = Double(counts[1] + counts[2])
            let (inside, outside) = (Double(counts[3]), Double(counts[0]))
            return inside / (2 * inside + wrong) + outside / (2 * outside + wrong)
        }
        /// Changes by true ones.
        var restlessness: Double { Double(changes) / Double(max(1, trueChanges)) }

        /// F1 in per mille, and changes in hundredths.
        var text: String { "\(Int(f1 * 1000)) (\(Int(restlessness * 100)))" }
    }

    /// The rule that was measured on recordings: the two strongest inside against the two strongest outside, smoothed
    /// with a time constant of 0.7 s, with a hysteresis of 3 dB.
    private struct SimpleRule {
        private var difference: Double?
        private var isInside = false

        mutating func update(_ signals: [HeardSignal]) -> Bool {
            func strongest(_ isWanted: (Int) -> Bool) -> Double? {
                let two = signals.filter { isWanted($0.receiver) }.map(\.rssi).sorted(by: >).prefix(2)
                return two.isEmpty ? nil : two.reduce(0, +) / Double(two.count)
            }
            guard let inside = strongest({ $0 < SimulatedRoom.inside }),
                let outside = strongest({ $0 >= SimulatedRoom.inside })
            else { return isInside }
            // 0.76 is what an exponential filter of 0.7 s takes in a second.
            let next = difference.map { $0 + 0.76 * (inside - outside - $0) } ?? (inside - outside)
            if abs(next) > 1.5 || difference == nil { isInside = next > 0 }
            difference = next
            return isInside
        }
    }

    private struct Scores {
        var filter = Score()
        var rule = Score()
        var judged = Score()
        var shown = Score()
        var settled = Score()

        var text: String {
            "filter \(filter.text), rule \(rule.text), both \(judged.text), shown \(shown.text), "
                + "settled \(settled.text)"
        }
    }

    private func walk(
        _ room: SimulatedRoom, _ wearer: SimulatedRoom.Wearer, minutes: Int, _ scores: inout Scores,
        _ random: inout SeededGenerator
    ) {
        let model = BuildingModel(plans: [room.plan], receivers: room.receivers)
        let day = room.hear(room.walk(minutes: minutes, &random), wearer, &random)
        let truth = day.map { $0.room == 0 }
        var scratch = FilterScratch()
        var filter = SubjectFilter(model)
        var (judge, rule, stillness, shown) = (InsideJudge(), SimpleRule(), Stillness(), ShownRoom())
        var settled = SettledFilter(model)
        var said = false
        var (plain, ruled, judged, held) = ([Bool](), [Bool](), [Bool](), [Bool]())
        var late = truth.map { _ in false }
        func isInside(_ floors: [[Float]?]) -> Bool {
            Estimate(model, floors, flattening: model.settings.flattening)?.best.room == 0
        }
        for (second, (_, signals)) in day.enumerated() {
            let window = room.window(signals, end: Double(second))
            filter.step(model, window, scratch: &scratch)
            plain.append(isInside(filter.floors))
            ruled.append(rule.update(signals))
            let floors = judge.weigh(model, filter.floors, window)
            judged.append(isInside(floors))
            let isAtRest = stillness.update(signals, time: window.end) && !judge.hasCrossed(at: window.end)
            if let estimate = Estimate(model, floors, flattening: model.settings.flattening),
                case .room(_, let name) = shown.update(estimate, time: window.end, isAtRest: isAtRest)
            {
                said = name == 0
            }
            held.append(said)
            for one in settled.add(model, window, scratch: &scratch) {
                late[Int(one.time)] = one.estimate.best.room == 0
            }
        }
        for one in settled.finish(model, scratch: &scratch) { late[Int(one.time)] = one.estimate.best.room == 0 }
        scores.filter.add(plain, truth)
        scores.rule.add(ruled, truth)
        scores.judged.add(judged, truth)
        scores.shown.add(held, truth)
        scores.settled.add(late, truth)
    }

    private func scores(_ radio: SimulatedRoom.Radio, rate: Int, _ random: inout SeededGenerator) -> Scores {
        var scores = Scores()
        for _ in 0..<TestScale.amount(3, full: 20) {
            for surroundings in SimulatedRoom.Surroundings.allCases {
                let room = SimulatedRoom(surroundings, radio: radio, seed: random.next())
                for _ in 0..<2 {
                    let wearer = SimulatedRoom.Wearer(
                        power: -62 + .random(in: -8...8, using: &random), body: .random(in: 4...12, using: &random),
                        loss: .random(in: 0.1...0.5, using: &random), rate: rate)
                    walk(room, wearer, minutes: 10, &scores, &random)
                }
            }
        }
        return scores
    }

    @Test("thin walls are told as well as by the filter, and better than by the rule", arguments: [1, 5])
    func thinWalls(rate: Int) {
        var random = SeededGenerator("Inside or outside, thin walls")
        let scores = scores(SimulatedRoom.Radio(), rate: rate, &random)
        print("walls of 2 to 8 dB, \(rate) packets/s: \(scores.text)")
        #expect(scores.judged.f1 > scores.filter.f1 - (TestScale.isFull ? 0.01 : 0.03), random.comment)
        #expect(scores.judged.f1 > scores.rule.f1, random.comment)
    }

    @Test("walls that take much more than their presets are told as well as by the rule", arguments: [1, 5])
    func thickWalls(rate: Int) {
        var random = SeededGenerator("Inside or outside, thick walls")
        let radio = SimulatedRoom.Radio(walls: 15...20, shadows: 1...2, offset: 1)
        let scores = scores(radio, rate: rate, &random)
        print("walls of 15 to 20 dB, \(rate) packets/s: \(scores.text)")
        #expect(scores.judged.f1 > scores.rule.f1 - (TestScale.isFull ? 0.01 : 0.03), random.comment)
        #expect(scores.judged.f1 > (TestScale.isFull ? 0.96 : 0.93), random.comment)
        #expect(scores.judged.restlessness < 1.8 && scores.shown.restlessness < 1.5, random.comment)
        #expect(scores.settled.f1 > (TestScale.isFull ? 0.96 : 0.93), random.comment)
    }

    @Test("where some of many rooms have several receivers, rooms are told no worse than by the filter")
    func manyRooms() {
        var random = SeededGenerator("Inside or outside, many rooms")
        var (seconds, plain, judged) = (0, 0, 0)
        var scratch = FilterScratch()
        for _ in 0..<TestScale.amount(3, full: 12) {
            let building = SimulatedBuilding(seed: random.next(), mostReceivers: 3)
            let model = BuildingModel(plans: building.plans, receivers: building.receivers)
            for _ in 0..<6 {
                var (filter, judge) = (SubjectFilter(model), InsideJudge())
                func spot() -> SimulatedBuilding.Spot {
                    building.randomSpot(
                        in: .random(in: 0..<SimulatedBuilding.rooms, using: &random),
                        floor: .random(in: 0..<SimulatedBuilding.floors, using: &random), &random)
                }
                let (start, end) = (spot(), spot())
                let stay = building.posture(&random)
                let way =
                    Array(repeating: (start, stay), count: 120)
                    + building.way(from: start, to: end).map { ($0, building.posture(&random)) }
                for (second, (spot, posture)) in way.enumerated() {
                    let window = building.window(
                        building.hear(spot, posture, power: -64, loss: 0.3, &random), end: Double(second))
                    filter.step(model, window, scratch: &scratch)
                    let floors = judge.weigh(model, filter.floors, window)
                    func isRight(_ floors: [[Float]?]) -> Bool {
                        guard let estimate = Estimate(model, floors, flattening: 1) else { return false }
                        return estimate.floor == spot.floor && estimate.best.room == building.room(spot)
                    }
                    seconds += 1
                    plain += isRight(filter.floors) ? 1 : 0
                    judged += isRight(floors) ? 1 : 0
                }
            }
        }
        print("many rooms: filter \(1000 * plain / seconds), both \(1000 * judged / seconds) of 1000")
        #expect(Double(judged - plain) / Double(seconds) > (TestScale.isFull ? -0.01 : -0.04), random.comment)
    }
}
