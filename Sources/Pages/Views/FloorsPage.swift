/// List of all floors that have a plan.
package struct FloorsPage: PageContent {
    package static let template = PageTemplate.floors
    package var frame: Frame
    /// Buildings with their floors.
    package var buildings: [Building]
    package var isEmpty: Bool
    /// Whether live positions are switched off.
    package var isLiveOff: Bool
    /// Whether floor plans are not used at all.
    package var isUnused: Bool
    /// Path of the page that begins a new floor; `nil` for readers who cannot draw.
    package var newFloorPath: String?
    /// Path of the surveys; `nil` for readers who cannot see them.
    package var surveysPath: String?

    /// Drawn floors that do not count; empty for readers who cannot draw.
    package var uncounted: [Uncounted]
    package var hasUncounted: Bool
    /// Why drawn floors do not count, in sentences.
    package var warnings: [String]

    /// Drawn floor that does not count.
    package struct Uncounted: Equatable, Sendable {
        /// `site/building/floor`.
        package var place: String
        /// Path of the page on which it is drawn.
        package var editPath: String

        package init(place: String, editPath: String) {
            self.place = place
            self.editPath = editPath
        }
    }

    package struct Building: Equatable, Sendable {
        package var name: String
        package var floors: [Floor]

        package init(name: String, floors: [Floor]) {
            self.name = name
            self.floors = floors
        }
    }

    package struct Floor: Equatable, Sendable {
        package var name: String
        /// `site/building/floor`.
        package var place: String
        /// Path of the floor's page.
        package var path: String
        package var roomCount: Int
        package var receiverCount: Int
        /// Number of people now; `nil` if it is not known.
        package var peopleCount: Int?
        package var isSurveyed: Bool

        package init(
            name: String, place: String, path: String, roomCount: Int, receiverCount: Int, peopleCount: Int?,
            isSurveyed: Bool
        ) {
            self.name = name
            self.place = place
            self.path = path
            self.roomCount = roomCount
            self.receiverCount = receiverCount
            self.peopleCount = peopleCount
            self.isSurveyed = isSurveyed
        }
    }

    package init(
        _ frame: Frame, buildings: [Building], isLive: Bool, isUnused: Bool = false, newFloorPath: String? = nil,
        surveysPath: String? = nil, uncounted: [Uncounted] = [], warnings: [String] = []
    ) {
        self.frame = frame
        self.buildings = buildings
        isEmpty = buildings.isEmpty
        isLiveOff = !isLive
        self.isUnused = isUnused
        self.newFloorPath = newFloorPath
        self.surveysPath = surveysPath
        self.uncounted = uncounted
        hasUncounted = !uncounted.isEmpty
        self.warnings = warnings
    }
}
