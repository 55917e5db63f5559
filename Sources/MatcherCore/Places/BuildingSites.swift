package import BeaconModel
package import FloorPlans
package import Localisation

/// Receivers of a building, as a radio model needs them.
package enum BuildingSites {
    /// Returns the receivers that have a position on a plan, in the order of their paths.
    ///
    /// - Parameters:
    ///   - plans: plans of the building.
    ///   - positions: positions by path; receivers of other buildings are left out.
    ///   - offsets: how much more than others receivers report, in dB by path.
    ///   - most: number of receivers that are returned at most.
    package static func sites(
        _ plans: [FloorPlan], _ positions: [(path: String, position: Place.Position?)],
        offsets: [String: Double] = [:], most: Int = .max
    ) -> [ReceiverSite] {
        var sites: [ReceiverSite] = []
        for (path, position) in positions {
            let floor = path.floor
            guard let position, sites.count < most, let index = plans.firstIndex(where: { $0.path == floor }) else {
                continue
            }
            sites.append(
                ReceiverSite(
                    path: path, floor: index, position: PlanPoint(x: position.x, y: position.y), height: position.z,
                    offset: offsets[path] ?? 0))
        }
        return sites.sorted { $0.path < $1.path }
    }
}
