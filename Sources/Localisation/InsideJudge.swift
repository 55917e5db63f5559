import RealModule

/// Whether a subject is inside or outside of rooms that have receivers on both sides of their walls, by the difference
/// between the two strongest receivers inside and the two strongest outside.
///
/// The difference needs no model: it holds whatever the walls take, while the filter relies on their presets. The
/// filter knows the places that no receiver outside is near to, and where a receiver hangs just behind a wall. So both
/// count, and neither is taken as certain. Floors without such rooms are left as they are.
package struct InsideJudge: Sendable {
    /// Smoothed level of one receiver.
    private struct Level {
        var receiver: Int
        /// RSSI in dBm.
        var rssi: Double
        /// Variance of `rssi` in dB².
        var variance: Double
        var heardAt: Double
    }

    /// Probability of a room, relative to its floor.
    private struct Judged {
        /// Index of the model's `sides`.
        var index: Int
        var share: Double
        /// What the filter says.
        var before: Double
    }

    private var levels: [Level] = []
    /// Where the subject is more probably: an index of the model's `sides`, or `none`; `nil` for nothing yet.
    private var held: Int?
    /// The same where it was surely.
    private var sure: Int?
    /// Where it may surely be next, and since when.
    private var next: (place: Int, since: Double)?
    private var crossedAt: Double?
    private var steppedAt: Double?

    /// Outside of all rooms that are judged.
    private static let none = -1

    /// Variance of one packet's level in dB²: fading with a standard deviation of 5 dB.
    private static let fading = 25.0
    /// Growth of a level's variance while people walk, in dB² per second.
    ///
    /// With three packets in a second it gives the time constant of 0.7 s that was measured on people, and a longer one
    /// with fewer packets.
    private static let growth = 25.0
    /// Time for which a level counts after it was heard, in seconds.
    private static let memory = 3.0
    /// Number of receivers whose levels are kept.
    private static let mostLevels = 32
    /// Change of the log odds by one dB of difference.
    ///
    /// Simulated levels at walls of 2 to 8 dB show 0.2 to 0.5, by the packet rate.
    private static let evidence = 0.3
    /// Log odds that the filter can have at most: it is wrong more often than it thinks, and late.
    ///
    /// In simulations it is the least that costs nothing where walls are thin. A difference of 5 to 7 dB overrules it.
    private static let mostOdds = 1.25
    /// Half of the hysteresis in dB. Half of 3 dB is enough for several packets a second, but not for one.
    private static let hysteresis = 2.5
    /// Greatest correction of the difference for where receivers hang, in dB.
    private static let mostMiddle = 10.0
    /// Probability below which a room is left alone if it is weaker inside.
    private static let leastRoom: Float = 0.005
    /// Probability of what is in none of the rooms below which nothing is given to it.
    private static let leastRest = 1e-6
    /// Probability from which it is sure on which side of the walls somebody is.
    private static let leastSure = 0.85
    /// Time for which a change must last to be a movement, in seconds.
    private static let lasting = 5.0
    /// Time for which somebody moves after such a change, in seconds.
    private static let moving = 60.0

    package init() {}

    /// Takes what was heard in a window, and returns the distribution with the rooms as they are judged.
    ///
    /// - Parameters:
    ///   - floors: probabilities of the cells by floor.
    ///   - window: what was heard; it does not end before the last one.
    package mutating func weigh(_ model: BuildingModel, _ floors: [[Float]?], _ window: HeardWindow) -> [[Float]?] {
        guard !model.sides.isEmpty else { return floors }
        if let steppedAt, window.end - steppedAt > model.settings.memory { self = InsideJudge() }
        steppedAt = window.end
        hear(window, model)
        var result = floors
        var best: Judged?
        for floor in floors.indices where model.sides.contains(where: { $0.floor == floor }) {
            guard let values = floors[floor] else { continue }
            let judged = judge(model, values, floor: floor, silent: window.silent)
            guard !judged.isEmpty else { continue }
            for one in judged where one.share > best?.share ?? 0 { best = one }
            Self.apply(judged, model, &result[floor]!)
        }
        if let best {
            held = best.share > 0.5 ? best.index : Self.none
            let isSure = max(best.share, 1 - best.share) >= Self.leastSure
            watch(isSure ? held : nil, at: window.end)
        }
        return result
    }

    /// Returns whether the subject has come in or gone out lately.
    ///
    /// - Parameter time: time in seconds.
    package func hasCrossed(at time: Double) -> Bool { crossedAt.map { time - $0 < Self.moving } ?? false }

    /// Notes where the subject is surely, to know when it has come in or gone out.
    private mutating func watch(_ place: Int?, at time: Double) {
        guard let place, place != sure else {
            next = nil
            return
        }
        if sure == nil {
            // What is found first is no movement.
            sure = place
        } else if let next, next.place == place {
            guard time - next.since >= Self.lasting else { return }
            (sure, crossedAt, self.next) = (place, time, nil)
        } else {
            next = (place, time)
        }
    }

    /// Follows the levels of receivers by a Kalman filter each.
    private mutating func hear(_ window: HeardWindow, _ model: BuildingModel) {
        levels.removeAll { window.end - $0.heardAt > Self.memory }
        for signal in window.signals where SubjectFilter.isUsable(signal, model) {
            let noise = Self.fading / Double(signal.count)
            guard let index = levels.firstIndex(where: { $0.receiver == signal.receiver }) else {
                if levels.count < Self.mostLevels {
                    levels.append(
                        Level(receiver: signal.receiver, rssi: signal.rssi, variance: noise, heardAt: window.end))
                }
                continue
            }
            let variance = levels[index].variance + Self.growth * max(0, window.end - levels[index].heardAt)
            let gain = variance / (variance + noise)
            levels[index].rssi += gain * (signal.rssi - levels[index].rssi)
            levels[index].variance = (1 - gain) * variance
            levels[index].heardAt = window.end
        }
    }

    /// Returns the probabilities of rooms of a floor.
    private func judge(_ model: BuildingModel, _ values: [Float], floor: Int, silent: [Int]) -> [Judged] {
        var judged: [Judged] = []
        for (index, sides) in model.sides.enumerated() where sides.floor == floor {
            guard let difference = difference(sides, silent, model.settings) else { continue }
            // A room that is improbable, and weaker inside, stays so.
            guard difference > 0 || sides.mass(values) > Self.leastRoom, let moments = sides.moments(values) else {
                continue
            }
            let odds = Double.log(Double(moments.inside / moments.outside))
            let middle = Self.middle(Double(moments.expectedInside), Double(moments.expectedOutside))
            let kept = held.map { $0 == index ? Self.hysteresis : -Self.hysteresis } ?? 0
            let sum =
                min(Self.mostOdds, max(-Self.mostOdds, odds)) + Self.evidence * (difference - middle + kept)
            judged.append(
                Judged(
                    index: index, share: 1 / (1 + .exp(-sum)),
                    before: Double(moments.inside / (moments.inside + moments.outside))))
        }
        return judged
    }

    /// Returns the difference between inside and outside in dB; `nil` if too little is heard.
    private func difference(_ sides: RoomSides, _ silent: [Int], _ settings: RadioSettings) -> Double? {
        let none = -Double.infinity
        var (inside, outside) = ((none, none), (none, none))
        for level in levels {
            if sides.inside.contains(level.receiver) {
                Self.insert(level.rssi, &inside)
            } else {
                Self.insert(level.rssi, &outside)
            }
        }
        switch (Self.mean(inside), Self.mean(outside)) {
        case (let inside?, let outside?): return inside - outside
        case (let inside?, nil):
            // A side that listens in vain is weaker than what can be heard.
            return sides.outside.count(where: silent.contains) < 2 ? nil : max(0, inside - settings.surelyUnheard)
        case (nil, let outside?):
            return sides.inside.count(where: silent.contains) < 2 ? nil : min(0, settings.surelyUnheard - outside)
        case (nil, nil): return nil
        }
    }

    private static func insert(_ level: Double, _ two: inout (Double, Double)) {
        if level > two.0 { two = (level, two.0) } else if level > two.1 { two.1 = level }
    }

    private static func mean(_ two: (Double, Double)) -> Double? {
        guard two.0.isFinite else { return nil }
        return two.1.isFinite ? (two.0 + two.1) / 2 : two.0
    }

    /// Returns the difference that speaks for neither side, by what is expected on both.
    ///
    /// Where the same sign is expected on both sides, the sign alone tells nothing. Elsewhere the expectation counts
    /// half: walls take more or less than their presets.
    private static func middle(_ inside: Double, _ outside: Double) -> Double {
        let middle = min(mostMiddle, max(-mostMiddle, (inside + outside) / 2))
        return inside * outside > 0 ? middle : middle / 2
    }

    /// Gives rooms of a floor the probabilities that were judged, and the rest of the floor what remains.
    private static func apply(_ judged: [Judged], _ model: BuildingModel, _ values: inout [Float]) {
        let share = judged.reduce(0) { $0 + $1.share }
        let rest = 1 - judged.reduce(0) { $0 + $1.before }
        // Rooms that take all of a floor share it.
        let isShared = rest < leastRest || share > 1
        let others = isShared ? 0 : Float((1 - share) / rest)
        let factors = judged.map { Float($0.share / $0.before / (isShared ? share : 1)) }
        values.withUnsafeMutableBytes { bytes in
            let values = bytes.bindMemory(to: UnalignedCells.self)
            for group in values.indices {
                var factor = Cells(repeating: others)
                for (one, scale) in zip(judged, factors) {
                    factor += model.sides[one.index].share[group] * (scale - others)
                }
                values[group].cells *= factor
            }
        }
    }
}
