package import FloorPlans
import RealModule

/// Finds the positions of receivers by how loudly they hear each other's beacons.
///
/// The positions that are wanted have probabilities on the squares of their floors. They are sampled: one after the other
/// is drawn from its probabilities given all others (Gibbs sampling), with its own gain as an unknown that is integrated
/// over. Several searches begin at different positions, with flattened probabilities that become sharp, so that they
/// seldom end where only the neighbours of a wrong position agree with it.
package enum PlacementSearch {
    /// Returns a suggestion for each receiver without a position, in the order of their paths.
    ///
    /// The result depends on nothing but the arguments, and not on the order of receivers and levels.
    ///
    /// - Parameters:
    ///   - plans: plans of one building.
    ///   - receivers: its receivers; those on a floor that does not exist are ignored.
    ///   - levels: what receivers hear of each other's beacons; see `MutualLinks`.
    ///   - seed: seed of the random numbers.
    package static func suggestions(
        plans: [FloorPlan], receivers: [PlacementReceiver], levels: [MutualLevel],
        settings: PlacementSettings = PlacementSettings(), seed: UInt64 = 1
    ) -> [PlacementSuggestion] {
        let receivers = receivers.filter { plans.indices.contains($0.floor) }.sorted { $0.path < $1.path }
        let wanted = receivers.indices.filter { receivers[$0].position == nil }
        guard !wanted.isEmpty else { return [] }
        var points = PlacementPoints(plans, wanted: Set(wanted.map { receivers[$0].floor }), settings)
        let links = MutualLinks(levels, between: receivers, storeys: points.storeys, settings)
        let reasons = wanted.map { reason(receivers[$0], links.neighbours[$0].count, plans, points, settings) }
        var search = PlacementChain(receivers, links, plans, &points, settings)
        search.targets = zip(wanted, reasons).filter { $0.1 == nil }.map(\.0)
        let weights = search.run(&points, seed: seed)
        var anchors: [Int: Int] = [:]
        var named: [Int: Int] = [:]
        for receiver in receivers {
            if receiver.position != nil {
                // Those of the next floors tell sides apart too.
                for floor in plans.indices where points.storeys[floor, receiver.floor].count <= 1 {
                    anchors[floor, default: 0] += 1
                }
            } else if isInKnownRoom(receiver, plans) {
                named[receiver.floor, default: 0] += 1
            }
        }
        return zip(wanted, reasons).map { index, reason in
            let receiver = receivers[index]
            var suggestion = PlacementSuggestion(
                path: receiver.path, floor: receiver.floor, links: links.neighbours[index].count,
                outcome: .missing(reason ?? .noFloor))
            let known = anchors[receiver.floor, default: 0]
            let doubt = settings.doubt(knowing: known, named: named[receiver.floor, default: 0])
            if reason == nil, let found = weights[index],
                let distribution = PlacementDistribution(
                    points, floor: receiver.floor,
                    weights: mixed(found, search.prior(of: index), doubt: doubt))
            {
                suggestion.outcome = .placed(distribution.placement(share: settings.coverage, isAnchored: known > 0))
            }
            return suggestion
        }
    }

    /// Mixes probabilities with those before anything was heard.
    private static func mixed(_ found: [Double], _ prior: [Double], doubt: Double) -> [Double] {
        let (sum, total) = (found.reduce(0, +), prior.reduce(0, +))
        return zip(found, prior).map { (1 - doubt) * $0 / sum + doubt * $1 / total }
    }

    private static func reason(
        _ receiver: PlacementReceiver, _ links: Int, _ plans: [FloorPlan], _ points: PlacementPoints,
        _ settings: PlacementSettings
    ) -> PlacementSuggestion.Reason? {
        if points.candidates[receiver.floor].isEmpty { return .noFloor }
        if links == 0 { return .unheard }
        // In a known room, a distance is enough.
        return links < settings.leastLinks && !isInKnownRoom(receiver, plans) ? .singleLink : nil
    }

    private static func isInKnownRoom(_ receiver: PlacementReceiver, _ plans: [FloorPlan]) -> Bool {
        plans[receiver.floor].rooms.contains { $0.name == receiver.room }
    }
}
