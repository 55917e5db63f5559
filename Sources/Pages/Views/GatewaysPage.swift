/// Table of all gateways and receivers, those with problems first.
package struct GatewaysPage: PageContent {
    package static let template = PageTemplate.gateways
    package var frame: Frame
    package var cards: [Card]
    package var buildings: [SelectOption]
    package var states: [SelectOption]
    package var rows: [Row]
    /// Range of the rows that are shown, in words.
    package var extent: String
    /// Path of the next part of the table; `nil` if this is the last.
    package var nextPath: String?
    /// Whether no gateway is known at all.
    package var isEmpty: Bool

    /// Number of gateways in a state, which links to them.
    package struct Card: Equatable, Sendable {
        package var count: Int
        package var state: StateTag
        package var path: String

        package init(count: Int, state: StateTag, path: String) {
            self.count = count
            self.state = state
            self.path = path
        }
    }

    /// A gateway, or a remote receiver or listening module of one.
    package struct Row: Equatable, Sendable {
        package var name: String
        /// Path of the gateway's page.
        package var path: String
        package var site: String
        package var building: String
        package var floor: String
        package var location: String
        package var state: StateTag
        package var lastReport: String
        package var outbox: String
        package var offset: String
        package var version: String
        /// Numbers of modules by state.
        package var modules: [StateTag]

        package init(
            name: String, path: String, site: String, building: String, floor: String, location: String,
            state: StateTag, lastReport: String, outbox: String, offset: String, version: String = "not known",
            modules: [StateTag] = []
        ) {
            self.name = name
            self.path = path
            self.site = site
            self.building = building
            self.floor = floor
            self.location = location
            self.state = state
            self.lastReport = lastReport
            self.outbox = outbox
            self.offset = offset
            self.version = version
            self.modules = modules
        }
    }

    package init(
        _ frame: Frame, cards: [Card], buildings: [SelectOption], states: [SelectOption], rows: [Row], extent: String,
        nextPath: String?, isEmpty: Bool
    ) {
        self.frame = frame
        self.cards = cards
        self.buildings = buildings
        self.states = states
        self.rows = rows
        self.extent = extent
        self.nextPath = nextPath
        self.isEmpty = isEmpty
    }
}
