package import FloorPlans

/// Suggested positions and disagreeing ones, of all buildings that have plans.
package struct PlacementReport: Equatable, Sendable {
    /// Suggestions for receivers without a position, in the order of their paths.
    package var suggestions: [PlacementSuggestion] = []
    /// Receivers whose stated positions do not agree with what is heard, building by building, the worst first. They were
    /// not used to place others.
    package var disagreements: [PlacementCheck.Disagreement] = []

    /// Compares and searches the positions of receivers.
    ///
    /// - Parameters:
    ///   - plans: plans of any buildings.
    ///   - receivers: receivers with floors as indices of these plans.
    ///   - levels: what receivers hear of each other's beacons.
    package init(
        plans: [FloorPlan], receivers: [PlacementReceiver], levels: [MutualLevel],
        settings: PlacementSettings = PlacementSettings()
    ) {
        let floors = Dictionary(grouping: plans.indices) { plans[$0].buildingPath }
        for (_, indices) in floors.sorted(by: { $0.key < $1.key }) {
            let places = Dictionary(uniqueKeysWithValues: indices.enumerated().map { ($1, $0) })
            var own: [PlacementReceiver] = []
            for var receiver in receivers {
                guard let place = places[receiver.floor] else { continue }
                receiver.floor = place
                own.append(receiver)
            }
            let building = indices.map { plans[$0] }
            let disagreements = PlacementCheck.disagreements(
                plans: building, receivers: own, levels: levels, settings: settings)
            let disbelieved = Set(disagreements.map(\.path))
            let stated = Set(own.filter { $0.position != nil }.map(\.path))
            for index in own.indices where disbelieved.contains(own[index].path) { own[index].position = nil }
            let suggestions = PlacementSearch.suggestions(
                plans: building, receivers: own, levels: levels, settings: settings)
            self.disagreements += disagreements.map { disagreement in
                var disagreement = disagreement
                disagreement.floor = indices[disagreement.floor]
                return disagreement
            }
            self.suggestions += suggestions.filter { !stated.contains($0.path) }.map { suggestion in
                var suggestion = suggestion
                suggestion.floor = indices[suggestion.floor]
                return suggestion
            }
        }
        suggestions.sort { $0.path < $1.path }
    }
}
