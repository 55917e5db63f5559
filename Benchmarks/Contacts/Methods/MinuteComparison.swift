import Glibc

/// What two badges' minutes of a day have in common, by what all receivers counted in each.
struct MinuteComparison: Sendable {
    /// Of two people.
    struct Common: Equatable, Sendable {
        /// In which both were heard, and more than one gateway heard one of them.
        var minutes = 0
        /// Of the cosines of these.
        var sum = 0.0
        /// With at least each of `thresholds`.
        var near: [13 of UInt16] = .init(repeating: 0)
        /// The most of those in a row that are near.
        var longestRun = 0
        var run = 0
        var lastNear = -2
        var sameStrongest = 0
        var centroids = 0

        var meanCosine: Double { minutes > 0 ? sum / Double(minutes) : 0 }

        /// With at least a threshold, which is one of `thresholds`.
        func minutes(_ threshold: Double) -> Int {
            MinuteComparison.thresholds.firstIndex { abs($0 - threshold) < 1e-9 }.map { Int(near[$0]) } ?? 0
        }

        static func == (left: Self, right: Self) -> Bool {
            left.minutes == right.minutes && left.sum == right.sum && left.longestRun == right.longestRun
                && left.sameStrongest == right.sameStrongest && left.centroids == right.centroids
                && left.near.indices.allSatisfy { left.near[$0] == right.near[$0] }
        }
    }

    static let thresholds = (0..<13).map { 0.74 + 0.02 * Double($0) }
    /// Cosines from which on two are near, and close.
    static let near = 0.86
    static let close = 0.92
    /// Metres between centroids within which two are near.
    static let centroidRadius = 2.5

    private(set) var pairs: Pairs<Common>

    /// - Parameters:
    ///   - tallies: by gateway.
    ///   - gateways: where they hang, in metres; floors are one above the other.
    ///   - isLeftOut: whether a gateway counts for nobody in a minute.
    init(
        _ tallies: [MinuteTally], people: Int, minutes: Int, gateways: [(x: Double, y: Double, z: Double)],
        isLeftOut: (_ gateway: Int, _ minute: Int) -> Bool
    ) {
        pairs = Pairs(people: people, Common())
        for minute in 0..<minutes {
            let able = tallies.indices.filter { !isLeftOut($0, minute) }
            var present: [(person: Int, vector: MinuteVector, centroid: (x: Double, y: Double, z: Double))] = []
            for person in 0..<people {
                let heard = able.compactMap { gateway in
                    tallies[gateway][person, minute].map { (gateway: gateway, cell: $0) }
                }
                guard !heard.isEmpty else { continue }
                present.append((person, MinuteVector(heard), Self.centroid(heard, gateways)))
            }
            for (index, one) in present.enumerated() {
                for other in present[(index + 1)...] {
                    pairs.update(one.person, other.person) {
                        $0.add(minute, one.vector, other.vector)
                        if Self.distance(one.centroid, other.centroid) <= Self.centroidRadius { $0.centroids += 1 }
                    }
                }
            }
        }
    }

    private static func centroid(
        _ heard: [(gateway: Int, cell: MinuteTally.Cell)], _ gateways: [(x: Double, y: Double, z: Double)]
    ) -> (x: Double, y: Double, z: Double) {
        var sum = (x: 0.0, y: 0.0, z: 0.0, weight: 0.0)
        for (gateway, cell) in heard {
            let weight = pow(10, cell.mean / 20)
            let place = gateways[gateway]
            sum = (
                sum.x + weight * place.x, sum.y + weight * place.y, sum.z + weight * place.z, sum.weight + weight
            )
        }
        return (sum.x / sum.weight, sum.y / sum.weight, sum.z / sum.weight)
    }

    private static func distance(_ one: (x: Double, y: Double, z: Double), _ other: (x: Double, y: Double, z: Double))
        -> Double
    {
        hypot(hypot(one.x - other.x, one.y - other.y), one.z - other.z)
    }
}

extension MinuteComparison.Common {
    /// Takes in a minute later than those before, in which both were heard.
    mutating func add(_ minute: Int, _ one: MinuteVector, _ other: MinuteVector) {
        if one.strongest == other.strongest { sameStrongest += 1 }
        guard let cosine = one.cosine(other) else { return }
        minutes += 1
        sum += cosine
        // Rounding doesn't take a minute away that is just near.
        for index in near.indices where cosine >= MinuteComparison.thresholds[index] - 1e-12 { near[index] += 1 }
        guard cosine >= MinuteComparison.near - 1e-12 else { return }
        run = lastNear == minute - 1 ? run + 1 : 1
        lastNear = minute
        longestRun = max(longestRun, run)
    }
}
