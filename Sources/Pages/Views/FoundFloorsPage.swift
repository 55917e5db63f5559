/// Floors found in another program's file, before they are saved.
package struct FoundFloorsPage: PageContent {
    package static let template = PageTemplate.foundFloors
    package var frame: Frame
    package var file: String
    package var floors: [Floor]
    /// Reasons why the floors cannot be saved, in sentences.
    package var problems: [String]
    package var hasProblems: Bool
    /// Notes on parts that were left out or changed, and on the work that is left.
    package var notes: [String]
    package var hasNotes: Bool
    package var nodes: [Node]
    package var hasNodes: Bool
    /// Files of plans with all floors, for the form; `nil` if they cannot be saved.
    package var plans: String?

    package struct Floor: Equatable, Sendable {
        /// `site/building/floor`.
        package var place: String
        package var name: String
        package var roomCount: Int
        package var area: String
        /// Floor that it would replace, in words.
        package var replaces: String
        /// Version of the stored floor from which the form was made.
        package var base: String
        /// The picture as SVG.
        package var drawing: String

        package init(
            place: String, name: String, roomCount: Int, area: String, replaces: String, base: String, drawing: String
        ) {
            self.place = place
            self.name = name
            self.roomCount = roomCount
            self.area = area
            self.replaces = replaces
            self.base = base
            self.drawing = drawing
        }
    }

    /// Receiver of the other program.
    package struct Node: Equatable, Sendable {
        package var label: String
        package var whereabouts: String
        /// Line for the configuration of a gateway there.
        package var line: String

        package init(label: String, whereabouts: String, line: String) {
            self.label = label
            self.whereabouts = whereabouts
            self.line = line
        }
    }

    package init(
        _ frame: Frame, file: String, floors: [Floor], problems: [String], notes: [String], nodes: [Node],
        plans: String?
    ) {
        self.frame = frame
        self.file = file
        self.floors = floors
        self.problems = problems
        hasProblems = !problems.isEmpty
        self.notes = notes
        hasNotes = !notes.isEmpty
        self.nodes = nodes
        hasNodes = !nodes.isEmpty
        self.plans = plans
    }
}
