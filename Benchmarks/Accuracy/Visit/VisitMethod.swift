import Glibc
import Proximity

/// A way to tell whether two visits were near each other; the words are those of figures.
enum VisitMethod: String, CaseIterable, Sendable {
    /// The same receiver hears both best.
    case strongest
    /// The least sum of the distances from one receiver, as contacts were told before.
    case nearestAnchor = "nearest_anchor"
    /// The distance of the centroids of the receivers, weighted by amplitudes.
    case centroid
    /// The root mean square of the differences in dB, each less its own mean.
    case difference
    /// The cosine of the amplitudes, as minutes together are told.
    case cosine

    var words: String {
        switch self {
        case .strongest: "strongest equal"
        case .nearestAnchor: "nearest common anchor"
        case .centroid: "weighted centroid"
        case .difference: "RMS difference, own mean removed"
        case .cosine: "cosine of amplitudes"
        }
    }

    /// Weaker than everything that is heard.
    private static let unheard = -100.0
    /// Who hears less than this share of the packets of the one that hears most counts less.
    private static let often = 0.3

    /// The greater, the nearer.
    func score(_ one: Visit, _ other: Visit, _ anchors: [(x: Double, y: Double)]) -> Double {
        switch self {
        case .strongest: return one.strongest?.anchor == other.strongest?.anchor ? 1 : 0
        case .nearestAnchor:
            // Without the RSSI at 1 m all distances are too great by one factor, which changes no rank.
            let slope = 10 * DistanceModel.general.exponent
            let sums = Self.common(one, other).map { pow(10, -$0.mean / slope) + pow(10, -$1.mean / slope) }
            return -(sums.min() ?? .infinity)
        case .centroid:
            let (from, to) = (Self.centroid(one, anchors), Self.centroid(other, anchors))
            return -hypot(from.x - to.x, from.y - to.y)
        case .difference:
            let numbers = Set((one.heard + other.heard).map(\.anchor)).sorted()
            let (first, second) = (Self.centred(one, numbers), Self.centred(other, numbers))
            let squares = zip(first, second).map { ($0 - $1) * ($0 - $1) }
            return -(squares.reduce(0, +) / Double(max(1, squares.count))).squareRoot()
        case .cosine:
            let products = Self.common(one, other).map {
                Self.amplitude($0, one) * Self.amplitude($1, other)
            }
            return products.reduce(0, +) / (Self.length(one) * Self.length(other)).squareRoot()
        }
    }

    private static func common(_ one: Visit, _ other: Visit) -> [(Visit.Heard, Visit.Heard)] {
        one.heard.compactMap { mine in other.heard.first { $0.anchor == mine.anchor }.map { (mine, $0) } }
    }

    private static func centroid(_ visit: Visit, _ anchors: [(x: Double, y: Double)]) -> (x: Double, y: Double) {
        var sum = (x: 0.0, y: 0.0, weight: 0.0)
        for heard in visit.heard where anchors.indices.contains(heard.anchor) {
            let weight = pow(10, heard.mean / 20)
            sum.x += weight * anchors[heard.anchor].x
            sum.y += weight * anchors[heard.anchor].y
            sum.weight += weight
        }
        return (sum.x / sum.weight, sum.y / sum.weight)
    }

    /// By anchor, less the mean.
    private static func centred(_ visit: Visit, _ anchors: [Int]) -> [Double] {
        let values = anchors.map { anchor in visit.heard.first { $0.anchor == anchor }?.mean ?? unheard }
        let mean = values.reduce(0, +) / Double(max(1, values.count))
        return values.map { $0 - mean }
    }

    private static func amplitude(_ heard: Visit.Heard, _ visit: Visit) -> Double {
        let most = Double(visit.heard.map(\.count).max() ?? 1)
        return min(1, Double(heard.count) / most / often) * pow(10, heard.mean / 20)
    }

    /// The sum of squares.
    private static func length(_ visit: Visit) -> Double {
        visit.heard.reduce(0) { $0 + amplitude($1, visit) * amplitude($1, visit) }
    }
}
