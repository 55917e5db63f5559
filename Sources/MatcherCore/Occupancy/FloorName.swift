package import Evidence
import Matching

/// A floor, with its site and building.
package struct FloorName: Hashable, Sendable {
    package var site: String
    package var building: String
    package var floor: String
}

extension FloorName {
    package init(_ place: PlaceName) { self.init(site: place.site, building: place.building, floor: place.floor) }
}
