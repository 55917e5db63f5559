import FloorPlans
import RealModule

/// How much a survey improves a model, by cross-validation: each part of the survey is located by a model that knows
/// the other parts.
package struct SurveyCheck: Equatable, Sendable {
    /// Figures without and with the survey.
    package var before: Figures
    package var after: Figures
    /// Whether rooms say something: one of the floors with positions is divided into rooms.
    package var hasRooms: Bool

    /// How well the positions of a survey are found.
    package struct Figures: Equatable, Sendable {
        /// Number of positions.
        package var count: Int
        /// Share of the positions whose room is found, from 0 to 1.
        package var roomAccuracy: Double
        /// Mean error in metres.
        package var meanError: Double
        /// Mean logarithm of the probability that was given to a metre round the true position.
        package var score: Double
    }

    /// Whether the survey is worth keeping: true positions become more probable, and rooms or positions are not found
    /// less well.
    ///
    /// The logarithmic score counts how sure a wrong answer was. A model that is only less sure of everything improves
    /// it, so one of the other figures must hold too. Without rooms the right room is always found on the right floor,
    /// so there the error must not grow.
    package var isImprovement: Bool { Self.isImprovement(from: before, to: after, hasRooms: hasRooms) }

    /// Returns whether the model of this check is an improvement over that of another check of the same positions.
    package func isImprovement(over other: SurveyCheck) -> Bool {
        Self.isImprovement(from: other.after, to: after, hasRooms: hasRooms)
    }

    private static func isImprovement(from before: Figures, to after: Figures, hasRooms: Bool) -> Bool {
        guard after.count > 0, after.score > before.score else { return false }
        if !hasRooms { return after.meanError <= before.meanError }
        return after.meanError < before.meanError || after.roomAccuracy >= before.roomAccuracy
    }

    /// Returns whether a floor has cells of more than one room; the floor between rooms counts as one.
    private static func isDivided(_ grid: FloorGrid) -> Bool {
        guard let first = grid.inside.first else { return false }
        return grid.inside.contains { grid.rooms[Int($0)] != grid.rooms[Int(first)] }
    }

    /// Number of parts.
    package static let parts = 5
    /// Number of positions without which nothing can be said.
    package static let leastPositions = 5

    /// Checks a survey; `nil` if it has fewer than five positions.
    ///
    /// - Parameters:
    ///   - modules: readings of modules, which are learnt from but not located.
    ///   - learns: whether the parts of the survey are learnt from; otherwise only modules are.
    package init?(
        _ model: BuildingModel, _ survey: [SurveyReading], with modules: [SurveyReading] = [], learns: Bool = true
    ) {
        let spots = Self.spots(survey)
        guard spots.count >= Self.leastPositions else { return nil }
        var before: [Outcome] = []
        var after: [Outcome] = []
        for part in 0..<Self.parts {
            let held = spots.enumerated().filter { $0.offset % Self.parts == part }.map(\.element)
            let others = spots.enumerated().filter { $0.offset % Self.parts != part }.flatMap(\.element.readings)
            guard !held.isEmpty else { continue }
            let surveyed = model.surveyed((learns ? others : []) + modules)
            before += held.map { Outcome(model, $0) }
            after += held.map { Outcome(surveyed, $0) }
        }
        self.before = Self.figures(before)
        self.after = Self.figures(after)
        hasRooms = Set(spots.map { $0.readings[0].floor }).contains { Self.isDivided(model.grids[$0]) }
    }

    /// Creates a check by its figures.
    init(before: Figures, after: Figures, hasRooms: Bool) {
        self.before = before
        self.after = after
        self.hasRooms = hasRooms
    }

    /// Creates the sum of checks of different positions.
    init(sumOf checks: [SurveyCheck]) {
        self.init(
            before: Figures(sumOf: checks.map(\.before)), after: Figures(sumOf: checks.map(\.after)),
            hasRooms: checks.contains(where: \.hasRooms))
    }

    /// A place where somebody stood, with what was heard there.
    struct Spot {
        var readings: [SurveyReading]
    }

    private static let leastProbability = 1e-3
    /// Time in seconds and distance in metres within which readings belong to one spot.
    private static let spotTime = 10.0
    private static let spotDistance = 1.0

    /// Returns the spots of a survey in order of time. What is near in time is near in place, so it is not held out by
    /// halves.
    static func spots(_ survey: [SurveyReading]) -> [Spot] {
        var spots: [Spot] = []
        for reading in survey.sorted(by: { ($0.badge, $0.time) < ($1.badge, $1.time) }) {
            if let first = spots.last?.readings.first, first.badge == reading.badge, first.floor == reading.floor,
                reading.time - first.time <= spotTime, first.position.distance(to: reading.position) <= spotDistance
            {
                spots[spots.count - 1].readings.append(reading)
            } else {
                spots.append(Spot(readings: [reading]))
            }
        }
        return spots
    }

    private struct Outcome {
        var isRight: Bool
        var error: Double
        var score: Double

        init(_ model: BuildingModel, _ spot: Spot) {
            let first = spot.readings[0]
            var sums: [Int: (sum: Double, count: Int)] = [:]
            for reading in spot.readings {
                sums[reading.receiver, default: (0, 0)].sum += reading.rssi
                sums[reading.receiver]!.count += 1
            }
            let signals = sums.sorted { $0.key < $1.key }.map {
                HeardSignal(receiver: $0.key, rssi: $0.value.sum / Double($0.value.count), count: $0.value.count)
            }
            var filter = SubjectFilter(model)
            var scratch = FilterScratch()
            filter.step(model, HeardWindow(end: 0, length: 3, signals: signals), scratch: &scratch)
            guard let estimate = Estimate(model, filter.floors, flattening: model.settings.flattening) else {
                (isRight, error, score) = (false, 20, .log(SurveyCheck.leastProbability))
                return
            }
            let grid = model.grids[first.floor]
            let room = grid.index(of: first.position).map { grid.rooms[$0] }
            isRight = estimate.floor == first.floor && room.map { $0 < 0 ? nil : Int($0) } == estimate.best.room
            error = estimate.floor == first.floor ? estimate.position.distance(to: first.position) : 20
            var near: Float = 0
            if let values = filter.floors[first.floor] {
                for index in grid.inside where grid.center(of: Int(index)).distance(to: first.position) <= 1 {
                    near += values[Int(index)]
                }
            }
            score = .log(max(SurveyCheck.leastProbability, Double(near)))
        }
    }

    private static func figures(_ outcomes: [Outcome]) -> Figures {
        let count = Double(max(1, outcomes.count))
        return Figures(
            count: outcomes.count, roomAccuracy: Double(outcomes.count(where: \.isRight)) / count,
            meanError: outcomes.reduce(0) { $0 + $1.error } / count,
            score: outcomes.reduce(0) { $0 + $1.score } / count)
    }
}

extension SurveyCheck.Figures {
    /// Creates the figures of all positions of several ones.
    fileprivate init(sumOf parts: [SurveyCheck.Figures]) {
        let count = parts.reduce(0) { $0 + $1.count }
        func mean(_ value: (SurveyCheck.Figures) -> Double) -> Double {
            parts.reduce(0) { $0 + value($1) * Double($1.count) } / Double(max(1, count))
        }
        self.init(
            count: count, roomAccuracy: mean { $0.roomAccuracy }, meanError: mean { $0.meanError },
            score: mean { $0.score })
    }
}
