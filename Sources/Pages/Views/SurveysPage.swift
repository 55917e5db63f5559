/// Spots of surveys, and what became of the survey of each building.
package struct SurveysPage: PageContent {
    package static let template = PageTemplate.surveys
    package var frame: Frame
    package var buildings: [Building]
    /// Why the findings are not known, in a sentence; `nil` if they are.
    package var unknown: String?
    package var rows: [Row]
    /// Sentence with the number of spots, and which of them are shown.
    package var extent: String
    /// Path of the next part of the spots; `nil` if this is the last.
    package var nextPath: String?

    /// What became of the survey of a building.
    package struct Building: Equatable, Sendable {
        package var name: String
        package var text: String
        package var figures: [Figure]
        package var hasFigures: Bool
        package var unsurveyed: String?

        package init(name: String, text: String, figures: [Figure], unsurveyed: String?) {
            self.name = name
            self.text = text
            self.figures = figures
            hasFigures = !figures.isEmpty
            self.unsurveyed = unsurveyed
        }
    }

    /// Figure without the survey and with it.
    package struct Figure: Equatable, Sendable {
        package var label: String
        package var without: String
        package var with: String

        package init(label: String, without: String, with: String) {
            self.label = label
            self.without = without
            self.with = with
        }
    }

    package struct Row: Equatable, Sendable {
        package var number: String
        package var floor: String
        package var room: String
        /// Position on the plan.
        package var x: String
        package var y: String
        package var time: String
        package var receivers: Int
        /// What stood there: somebody with a badge, or a module.
        package var source: String

        package init(
            number: String, floor: String, room: String, x: String, y: String, time: String, receivers: Int,
            source: String
        ) {
            self.number = number
            self.floor = floor
            self.room = room
            self.x = x
            self.y = y
            self.time = time
            self.receivers = receivers
            self.source = source
        }
    }

    package init(
        _ frame: Frame, buildings: [Building], unknown: String?, rows: [Row], extent: String, nextPath: String?
    ) {
        self.frame = frame
        self.buildings = buildings
        self.unknown = unknown
        self.rows = rows
        self.extent = extent
        self.nextPath = nextPath
    }
}
