/// Drawing of a floor: its picture, and the same as a form with numbers.
package struct PlanPage: PageContent {
    package static let template = PageTemplate.plan
    package var frame: Frame
    /// `site/building/floor`.
    package var place: String
    /// Path of the floor's page.
    package var path: String
    /// Version from which the form was made.
    package var version: String
    /// Origin of the plan, in a sentence.
    package var origin: String
    /// The picture as SVG.
    package var picture: String
    package var outcome: Outcome?
    /// Plan that somebody else saved in the meantime.
    package var theirs: Theirs?
    package var problems: [Problem]
    package var hasProblems: Bool
    /// Warnings about what is not wrong, but may not be intended.
    package var notes: [String]
    package var hasNotes: Bool
    /// Why drawn floors of the building do not count, in sentences.
    package var warnings: [String]
    /// Fields of the whole floor.
    package var general: [PlanTable.Field]
    package var tables: [PlanTable]
    package var versions: [Version]
    package var hasVersions: Bool
    /// Consequence of removing the drawn floor, in a sentence; `nil` if it cannot be removed.
    package var removal: String?
    /// Whether there is a plan that can be downloaded.
    package var canDownload: Bool
    package var underlay: Underlay
    /// Whether the form has something that is not stored from the start: what was refused or only checked, or an earlier
    /// version.
    package var isUnsaved: Bool
    package let script = PageAsset.plan.path

    /// Outcome of the form that was sent, in a sentence.
    package struct Outcome: Equatable, Sendable {
        package var text: String
        package var isProblem: Bool

        package init(_ text: String, isProblem: Bool) {
            self.text = text
            self.isProblem = isProblem
        }
    }

    package struct Problem: Equatable, Sendable {
        package var text: String
        /// Name of the field beside which it is said again.
        package var fieldName: String

        package init(_ text: String, fieldName: String) {
            self.text = text
            self.fieldName = fieldName
        }
    }

    package struct Theirs: Equatable, Sendable {
        package var sentence: String
        /// Their picture as SVG; `nil` if the floor was removed.
        package var drawing: String?
        package var differences: [String]

        package init(sentence: String, drawing: String?, differences: [String]) {
            self.sentence = sentence
            self.drawing = drawing
            self.differences = differences
        }
    }

    /// Earlier version of the floor.
    package struct Version: Equatable, Sendable {
        package var label: String
        package var link: String

        package init(label: String, link: String) {
            self.label = label
            self.link = link
        }
    }

    /// Picture under the drawing.
    package struct Underlay: Equatable, Sendable {
        package var isThere: Bool
        /// Fields of its scale.
        package var scale: [PlanTable.Field]
        /// Size of the picture, in words.
        package var extent: String?

        package init(isThere: Bool, scale: [PlanTable.Field], extent: String?) {
            self.isThere = isThere
            self.scale = scale
            self.extent = extent
        }
    }

    package init(
        _ frame: Frame, place: String, path: String, version: String, origin: String, picture: String,
        outcome: Outcome? = nil, theirs: Theirs? = nil, problems: [Problem] = [], notes: [String] = [],
        warnings: [String] = [], general: [PlanTable.Field], tables: [PlanTable], versions: [Version] = [],
        removal: String? = nil,
        canDownload: Bool = true, underlay: Underlay, isUnsaved: Bool = false
    ) {
        self.frame = frame
        self.place = place
        self.path = path
        self.version = version
        self.origin = origin
        self.picture = picture
        self.outcome = outcome
        self.theirs = theirs
        self.problems = problems
        hasProblems = !problems.isEmpty
        self.notes = notes
        hasNotes = !notes.isEmpty
        self.warnings = warnings
        self.general = general
        self.tables = tables
        self.versions = versions
        hasVersions = !versions.isEmpty
        self.removal = removal
        self.canDownload = canDownload
        self.underlay = underlay
        self.isUnsaved = isUnsaved
    }
}
