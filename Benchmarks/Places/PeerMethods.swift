import FloorPlans
import Localisation
import RealModule

/// Methods of other systems, for comparison. Each takes medians over the last two seconds.
enum PeerMethods {
    /// A method that says where a subject is by the levels of receivers in dBm.
    struct Method {
        var name: String
        var locate: (Recording, [Int: Double]) -> Guess?
    }

    /// Methods for a recording; that by fingerprints only where there is a survey.
    static func all(_ recording: Recording) -> [Method] {
        var methods = [
            Method(name: "strongest receiver", locate: strongest),
            Method(name: "weighted centroid", locate: centroid),
            Method(name: "trilateration", locate: trilateration),
            Method(name: "Nelder-Mead", locate: nelderMead),
        ]
        if !recording.survey.isEmpty {
            let fingerprints = Fingerprints(recording)
            methods.append(Method(name: "kNN fingerprints") { fingerprints.locate($0, $1) })
        }
        return methods
    }

    static func guesses(_ method: Method, _ recording: Recording, _ windows: SecondWindows) -> [String: [Guess]] {
        windows.windows.mapValues { windows in
            windows.indices.compactMap { index in
                var levels: [Int: [Double]] = [:]
                for window in windows[max(0, index - 1)...index] where windows[index].end - window.end <= 2 {
                    for signal in window.signals { levels[signal.receiver, default: []].append(signal.rssi) }
                }
                let medians = levels.mapValues { $0.reduce(0, +) / Double($0.count) }
                guard var guess = method.locate(recording, medians) else { return nil }
                guess.time = windows[index].end
                return guess
            }
        }
    }

    /// Path loss that the methods assume: that of an uncalibrated badge.
    private static func distance(_ rssi: Double) -> Double { .pow(10, (-59 - rssi) / 20) }

    /// The floor and room of the strongest receiver, and its position.
    private static func strongest(_ recording: Recording, _ levels: [Int: Double]) -> Guess? {
        guard let best = order(levels).first else { return nil }
        let site = recording.receivers[best.receiver]
        return guess(recording, site.floor, site.position)
    }

    private static func order(_ levels: [Int: Double]) -> [(receiver: Int, rssi: Double)] {
        levels.map { ($0.key, $0.value) }.sorted { ($0.1, $1.0) > ($1.1, $0.0) }
    }

    /// Receivers of the strongest one's floor.
    private static func onFloor(
        _ recording: Recording, _ levels: [Int: Double], most: Int
    ) -> [(site: ReceiverSite, rssi: Double)] {
        let ordered = order(levels).map { (recording.receivers[$0.receiver], $0.rssi) }
        guard let floor = ordered.first?.0.floor else { return [] }
        return Array(ordered.filter { $0.0.floor == floor }.prefix(most))
    }

    private static func centroid(_ recording: Recording, _ levels: [Int: Double]) -> Guess? {
        let heard = onFloor(recording, levels, most: .max)
        guard let first = heard.first else { return nil }
        let weights = heard.map { 1 / (distance($0.rssi) * distance($0.rssi)) }
        let sum = weights.reduce(0, +)
        let x = zip(heard, weights).reduce(0) { $0 + $1.0.site.position.x * $1.1 } / sum
        let y = zip(heard, weights).reduce(0) { $0 + $1.0.site.position.y * $1.1 } / sum
        return guess(recording, first.site.floor, PlanPoint(x: x, y: y))
    }

    /// Linear least squares of the four strongest.
    private static func trilateration(_ recording: Recording, _ levels: [Int: Double]) -> Guess? {
        let heard = onFloor(recording, levels, most: 4)
        guard heard.count >= 3, let last = heard.last else { return centroid(recording, levels) }
        var (xx, xy, yy, xb, yb) = (1e-9, 0.0, 1e-9, 0.0, 0.0)
        let (lx, ly, ld) = (last.site.position.x, last.site.position.y, distance(last.rssi))
        for (site, rssi) in heard.dropLast() {
            let (x, y, d) = (site.position.x, site.position.y, distance(rssi))
            let (a, b) = (2 * (x - lx), 2 * (y - ly))
            let right = x * x - lx * lx + y * y - ly * ly + ld * ld - d * d
            xx += a * a
            xy += a * b
            yy += b * b
            xb += a * right
            yb += b * right
        }
        let determinant = xx * yy - xy * xy
        guard abs(determinant) > 1e-6 else { return centroid(recording, levels) }
        return guess(
            recording, last.site.floor,
            PlanPoint(x: (xb * yy - yb * xy) / determinant, y: (xx * yb - xy * xb) / determinant))
    }

    /// Least squares of distances by the simplex method, within the floor, with a common scale of the distances.
    private static func nelderMead(_ recording: Recording, _ levels: [Int: Double]) -> Guess? {
        let heard = onFloor(recording, levels, most: .max)
        guard heard.count >= 3, let start = centroid(recording, levels)?.position else {
            return centroid(recording, levels)
        }
        let bounds = recording.plans[heard[0].site.floor].outline.bounds
        let found = Simplex.minimum(from: [start.x, start.y, 1]) { values in
            if let bounds {
                guard values[0] >= bounds.least.x, values[0] <= bounds.greatest.x, values[1] >= bounds.least.y,
                    values[1] <= bounds.greatest.y
                else { return 1e9 }
            }
            guard (0.5...1.5).contains(values[2]) else { return 1e9 }
            return heard.enumerated().reduce(0) { sum, entry in
                let at = PlanPoint(x: values[0], y: values[1])
                let error = at.distance(to: entry.element.site.position) - values[2] * distance(entry.element.rssi)
                let rank = Double(entry.offset)
                return sum + error * error * .exp(-rank * rank / 8)
            }
        }
        return guess(recording, heard[0].site.floor, PlanPoint(x: found[0], y: found[1]))
    }

    static func guess(_ recording: Recording, _ floor: Int, _ position: PlanPoint) -> Guess {
        let rooms = recording.plans[floor].rooms
        var inside = rooms.firstIndex { $0.polygon.contains(position) }
        let bounds = recording.plans[floor].outline
        if inside == nil, !bounds.contains(position) {
            // Outside of the building the nearest room is the best that can be said.
            inside = rooms.indices.min { one, other in
                rooms[one].polygon.distance(to: position) < rooms[other].polygon.distance(to: position)
            }
        }
        return Guess(time: 0, floor: floor, position: position, room: inside)
    }
}

extension PlanPolygon {
    /// Returns the distance of a point from the nearest edge in metres.
    fileprivate func distance(to point: PlanPoint) -> Double {
        edges.map { $0.nearest(to: point).distance }.min() ?? .infinity
    }
}
