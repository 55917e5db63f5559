import FloorPlans
import RealModule

/// Probabilities of the candidates of one floor for one receiver.
struct PlacementDistribution {
    private let candidates: [PlacementPoints.Candidate]
    private let slack: Double
    private let probabilities: [Double]

    /// Creates a distribution; `nil` if there is nothing on the floor.
    ///
    /// - Parameter weights: of each candidate, up to a common factor.
    init?(_ points: PlacementPoints, floor: Int, weights: [Double]) {
        candidates = points.candidates[floor]
        slack = points.slack[floor]
        let sum = weights.reduce(0, +)
        guard !candidates.isEmpty, weights.count == candidates.count, sum > 0, sum.isFinite else { return nil }
        probabilities = weights.map { $0 / sum }
    }

    /// Probabilities below this one do not move the position.
    private static let negligible = 1e-4
    /// Distance within which candidates share in the position, in sides of a square.
    private static let neighbourhood = 3.0

    /// The most central point: the mean distance from it is the least. Without large circles of two places that are equally
    /// probable, it is in one of both.
    var position: PlanPoint {
        let likely = candidates.indices.filter { probabilities[$0] > Self.negligible }
        var best = (index: likely.first ?? 0, distance: Double.infinity)
        for index in likely {
            var distance = 0.0
            for other in likely {
                distance += probabilities[other] * candidates[index].position.distance(to: candidates[other].position)
            }
            if distance < best.distance { best = (index, distance) }
        }
        return refined(best.index)
    }

    /// Returns the mean of what is near a candidate and in its room; the candidate if that is nearer to another room.
    private func refined(_ index: Int) -> PlanPoint {
        let start = candidates[index]
        var (x, y, sum) = (0.0, 0.0, 0.0)
        for (other, candidate) in candidates.enumerated() where candidate.room == start.room {
            guard candidate.position.distance(to: start.position) <= Self.neighbourhood * 2 * slack else { continue }
            x += probabilities[other] * candidate.position.x
            y += probabilities[other] * candidate.position.y
            sum += probabilities[other]
        }
        guard sum > 0 else { return start.position }
        let mean = PlanPoint(x: x / sum, y: y / sum)
        return room(at: mean) == start.room ? mean : start.position
    }

    /// Room of the candidate nearest to a point.
    func room(at point: PlanPoint) -> Int16 {
        candidates.min { $0.position.distance(to: point) < $1.position.distance(to: point) }?.room ?? FloorGrid.noRoom
    }

    /// Returns the probability of a room.
    func probability(ofRoom room: Int16) -> Double {
        candidates.indices.reduce(0) { $0 + (candidates[$1].room == room ? probabilities[$1] : 0) }
    }

    /// Returns the radius round a point in metres that has a share of the probability.
    func radius(round point: PlanPoint, share: Double) -> Double {
        let order = candidates.indices.map { ($0, candidates[$0].position.distance(to: point)) }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        var sum = 0.0
        for (index, distance) in order {
            sum += probabilities[index]
            if sum >= share { return (distance * distance + slack * slack).squareRoot() }
        }
        return order.last?.1 ?? 0
    }

    /// Returns the placement with the radius of a share of the probability.
    func placement(share: Double, isAnchored: Bool) -> PlacementSuggestion.Placement {
        let position = position
        let room = room(at: position)
        return PlacementSuggestion.Placement(
            position: position, room: room >= 0 ? Int(room) : nil, roomProbability: probability(ofRoom: room),
            radius: radius(round: position, share: share), isAnchored: isAnchored)
    }
}
