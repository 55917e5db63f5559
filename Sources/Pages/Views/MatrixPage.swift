/// Levels at which the receivers of a floor hear each other's beacons, compared with the expected ones.
package struct MatrixPage: PageContent {
    package static let template = PageTemplate.matrix
    package var frame: Frame
    /// `site/building/floor`.
    package var place: String
    /// Path of the map of the floor.
    package var map: String
    /// Local time at which the levels were learnt; `nil` if there are none.
    package var levelsTime: String?
    /// Names of the receivers, which are columns.
    package var columns: [Column]
    package var rows: [Row]
    package var hasRows: Bool
    /// Sums of the columns, one row for each kind.
    package var sums: [SumRow]
    /// Problems and remedies, in sentences.
    package var findings: [String]
    package var hasFindings: Bool
    /// Beacons of which too little is heard to be rows, by the receivers at which they hang.
    package var unheard: String?
    /// Note on rows and columns that are not shown, in a sentence.
    package var extent: String?
    /// Whether the expected levels have what a survey found.
    package var isSurveyed: Bool
    /// Whether expected levels are known.
    package var isExpected: Bool

    package struct Column: Equatable, Sendable {
        package var name: String

        package init(_ name: String) { self.name = name }
    }

    /// A number, or words.
    package struct Cell: Equatable, Sendable {
        /// Name of the receiver, for narrow windows.
        package var label: String
        package var words: String
        /// Class for the colour; the words say the same.
        package var kind: String

        package init(label: String, words: String, kind: String) {
            self.label = label
            self.words = words
            self.kind = kind
        }
    }

    /// A beacon.
    package struct Row: Equatable, Sendable {
        package var name: String
        package var cells: [Cell]
        package var mean: String
        package var spread: String
        /// Whether something is wrong with the beacon.
        package var isOff: Bool

        package init(name: String, cells: [Cell], mean: String, spread: String, isOff: Bool) {
            self.name = name
            self.cells = cells
            self.mean = mean
            self.spread = spread
            self.isOff = isOff
        }
    }

    /// Sums of one kind for all receivers.
    package struct SumRow: Equatable, Sendable {
        package var name: String
        package var cells: [Cell]

        package init(name: String, cells: [Cell]) {
            self.name = name
            self.cells = cells
        }
    }

    package init(
        _ frame: Frame, place: String, map: String, levelsTime: String?, columns: [Column], rows: [Row],
        sums: [SumRow], findings: [String], unheard: String?, extent: String?, isSurveyed: Bool, isExpected: Bool
    ) {
        self.frame = frame
        self.place = place
        self.map = map
        self.levelsTime = levelsTime
        self.columns = columns
        self.rows = rows
        hasRows = !rows.isEmpty
        self.sums = sums
        self.findings = findings
        hasFindings = !findings.isEmpty
        self.unheard = unheard
        self.extent = extent
        self.isSurveyed = isSurveyed
        self.isExpected = isExpected
    }
}
