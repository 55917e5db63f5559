package import BeaconModel
package import FloorPlans
package import Localisation

/// What a night's look at the receivers of a building finds. Pure.
package struct ReceiverNight: Sendable {
    /// Receivers whose stated position does not agree with what is heard.
    package var disagreements: [PlacementCheck.Disagreement]
    /// Offsets; `nil` if there are too few links to learn from.
    package var fit: OffsetFit?
    /// Modules as spots of a survey.
    package var spots: [SurveySpot]

    /// Looks at a building.
    ///
    /// - Parameters:
    ///   - plans: plans of the building.
    ///   - positions: positions of receivers by path, and when each was moved; those of other buildings are ignored, and
    ///     those that were moved after `since`, because nobody knows what was heard before.
    ///   - since: start of the time in which `levels` were heard, in seconds since 1970.
    ///   - levels: how loudly receivers hear the beacons at each other's places.
    ///   - now: seconds since 1970.
    package init(
        _ plans: [FloorPlan], _ positions: [(path: String, position: Place.Position?, movedAt: Int64?)],
        since: Int64, levels: [MutualLevel], now: Int64
    ) {
        let sites = BuildingSites.sites(
            plans, positions.filter { $0.movedAt.map { $0 <= since } ?? true }.map { ($0.path, $0.position) })
        let own = Set(sites.map(\.path))
        let levels = levels.filter { own.contains($0.beacon) && own.contains($0.receiver) }
        disagreements = PlacementCheck.disagreements(
            plans: plans,
            receivers: sites.map {
                PlacementReceiver(path: $0.path, floor: $0.floor, position: $0.position, height: $0.height)
            }, levels: levels)
        // A receiver at a wrong position would get the error of its position as an offset, and give it to others.
        let wrong = Set(disagreements.map(\.path))
        let right = sites.filter { !wrong.contains($0.path) }
        fit = OffsetFit(BuildingModel(plans: plans, receivers: right), levels)
        spots = SurveySpot.ofModules(at: right, plans, levels: levels, now: now)
    }

    /// Returns the spots that take the place of those of the night before; `nil` if these stay: a night in which nothing
    /// was heard says nothing against what is known.
    ///
    /// - Parameter learns: whether modules are learnt from.
    package func newSpots(learns: Bool) -> [SurveySpot]? {
        if !learns { return [] }
        return spots.isEmpty ? nil : spots
    }
}
