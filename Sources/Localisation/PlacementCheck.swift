package import FloorPlans

/// Compares stated positions with what is heard: each receiver is placed by the others, as if it had no position.
///
/// A receiver that was moved without being told its new position fits much better somewhere else. The worst one is named
/// first and left out; then the others are compared again, because it misplaces them too.
package enum PlacementCheck {
    /// A receiver whose stated position does not agree with what is heard.
    package struct Disagreement: Equatable, Sendable {
        /// Path of the receiver.
        package var path: String
        /// Floor of the receiver, as an index of the building's plans.
        package var floor: Int
        package var stated: PlanPoint
        /// Where it fits better.
        package var fitted: PlacementSuggestion.Placement
        /// Number of receivers with stated positions that it hears or that hear it.
        package var links: Int
        /// How much less probable what is heard is at the stated position than at the best one: the difference of the
        /// natural logarithms.
        package var surprise: Double
    }

    /// Least surprise of a disagreement.
    package static let leastSurprise = 5.0
    /// Least distance of a disagreement in metres: less does not matter for where people are.
    package static let leastDistance = 3.0
    /// Number of links without which nothing is said of a receiver.
    package static let leastLinks = 4

    /// Returns the receivers whose stated positions disagree grossly with what is heard, the worst first.
    ///
    /// - Parameters:
    ///   - plans: plans of one building.
    ///   - receivers: its receivers; those without a position and those on a floor that does not exist are ignored.
    ///   - levels: what receivers hear of each other's beacons; see `MutualLinks`.
    package static func disagreements(
        plans: [FloorPlan], receivers: [PlacementReceiver], levels: [MutualLevel],
        settings: PlacementSettings = PlacementSettings()
    ) -> [Disagreement] {
        let receivers = receivers.filter { plans.indices.contains($0.floor) && $0.position != nil }
            .sorted { $0.path < $1.path }
        var points = PlacementPoints(plans, wanted: Set(receivers.map(\.floor)), settings)
        let links = MutualLinks(levels, between: receivers, storeys: points.storeys, settings)
        var fit = PlacementFit(receivers, links, &points, settings)
        var found: [Disagreement] = []
        // If many disagree, it is the plan that is wrong, or its origin.
        let most = max(1, receivers.count / 3)
        var candidates = Array(receivers.indices)
        var known: [Int: Disagreement] = [:]
        while found.count < most {
            for index in candidates { known[index] = fit.disagreement(index, &points) }
            let worst = known.min { ($1.value.surprise, $0.key) < ($0.value.surprise, $1.key) }
            guard let worst else { break }
            found.append(worst.value)
            fit.leaveOut(worst.key)
            known[worst.key] = nil
            candidates = fit.peers(of: worst.key)
        }
        return found
    }
}
