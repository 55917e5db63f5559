import FloorPlans
import RealModule

/// The exact probabilities of one receiver's position if those of all others are known.
///
/// All gains have normal distributions, so they are integrated over: what a receiver's links measure then has a normal
/// distribution around the loss at each candidate, with a covariance that is the same for all candidates.
struct PlacementFit {
    private let receivers: [PlacementReceiver]
    private let links: MutualLinks
    private let settings: PlacementSettings
    /// Point of each receiver on its floor.
    private let points: [Int]
    private var isLeftOut: [Bool]

    init(
        _ receivers: [PlacementReceiver], _ links: MutualLinks, _ points: inout PlacementPoints,
        _ settings: PlacementSettings
    ) {
        self.receivers = receivers
        self.links = links
        self.settings = settings
        var indices: [Int] = []
        for receiver in receivers {
            let position = receiver.position ?? PlanPoint(x: 0, y: 0)
            indices.append(points.add(position, height: receiver.height, on: receiver.floor))
        }
        self.points = indices
        isLeftOut = Array(repeating: false, count: receivers.count)
    }

    /// Makes the others be placed without a receiver, which itself is not placed any more.
    mutating func leaveOut(_ receiver: Int) { isLeftOut[receiver] = true }

    /// Returns the receivers that are placed by a receiver.
    func peers(of receiver: Int) -> [Int] {
        links.neighbours[receiver].map(\.other).filter { !isLeftOut[$0] }
    }

    /// Returns whether a receiver fits better somewhere else; `nil` if not, or if that cannot be said.
    func disagreement(_ receiver: Int, _ points: inout PlacementPoints) -> PlacementCheck.Disagreement? {
        let floor = receivers[receiver].floor
        let near = links.neighbours[receiver].filter { !isLeftOut[$0.other] }.prefix(settings.mostLinks)
        guard let stated = receivers[receiver].position, near.count >= PlacementCheck.leastLinks,
            near.contains(where: { receivers[$0.other].floor == floor }), !points.candidates[floor].isEmpty,
            let levels = ExpectedLevels(near.map { $0 }, links, settings, loss: { loss($0, points) })
        else { return nil }
        for (_, other) in near { points.prepare(from: self.points[other], on: receivers[other].floor, to: floor) }
        var rows: [[Float]] = []
        for (_, other) in near {
            points.withLosses(from: self.points[other], on: receivers[other].floor, to: floor) { losses in
                rows.append(Array(losses))
            }
        }
        let likelihoods = points.candidates[floor].indices.map { candidate in
            levels.logLikelihood(rows.map { Double($0[candidate]) })
        }
        let own = levels.logLikelihood(
            near.map { _, other in
                points.loss(self.points[receiver], on: floor, self.points[other], on: receivers[other].floor)
            })
        let logarithms = zip(likelihoods, points.candidates[floor]).map { $0 + Double($1.logPrior) }
        let most = logarithms.max() ?? 0
        guard
            let distribution = PlacementDistribution(
                points, floor: floor, weights: logarithms.map { .exp($0 - most) })
        else { return nil }
        let surprise = (likelihoods.max() ?? own) - own
        guard surprise >= PlacementCheck.leastSurprise else { return nil }
        let fitted = distribution.placement(share: settings.coverage, isAnchored: true)
        let distance = fitted.position.distance(to: stated)
        guard distance > max(PlacementCheck.leastDistance, fitted.radius) else { return nil }
        return PlacementCheck.Disagreement(
            path: receivers[receiver].path, floor: floor, stated: stated, fitted: fitted, links: near.count,
            surprise: surprise)
    }

    /// Loss of a link between two known positions in dB; `nil` if one is left out.
    private func loss(_ link: MutualLinks.Link, _ table: PlacementPoints) -> Double? {
        guard !isLeftOut[link.first], !isLeftOut[link.second] else { return nil }
        return table.loss(
            points[link.first], on: receivers[link.first].floor, points[link.second], on: receivers[link.second].floor)
    }
}
