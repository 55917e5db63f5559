/// Map of a floor with the people on it now, and the same as tables.
package struct FloorPage: PageContent {
    package static let template = PageTemplate.floor
    package var frame: Frame
    /// `site/building/floor`.
    package var place: String
    /// Path of this page.
    package var path: String
    /// Positions that are live; `nil` while they are switched off.
    package var positions: Positions?
    /// The picture as SVG.
    package var picture: String
    package var rows: [Row]
    package var receivers: [Receiver]
    /// Coverage of the floor; `nil` if it is not shown.
    package var coverage: Coverage?
    /// Path of this page with the coverage; `nil` if it is shown, or is not known.
    package var coveragePath: String?
    /// Path of this page without the coverage.
    package var plainPath: String
    /// Path of the page on which the floor is drawn; `nil` for readers who cannot draw.
    package var editPath: String?
    /// Path of the page "Who hears whom"; `nil` for readers who cannot see it.
    package var matrixPath: String?
    /// Whether the map is larger than the window, so that it scrolls.
    package var isLarge: Bool
    /// Path of this page with the map in the other size.
    package var sizePath: String
    package let script = PageAsset.floor.path

    /// Coverage of a floor.
    package struct Coverage: Equatable, Sendable {
        /// Share of the floor that is heard, in a sentence.
        package var sentence: String
        package var coverageRows: [CoverageRow]
        package var hasCoverageRows: Bool

        package init(sentence: String, rows: [CoverageRow]) {
            self.sentence = sentence
            coverageRows = rows
            hasCoverageRows = !rows.isEmpty
        }
    }

    /// Coverage of a room.
    package struct CoverageRow: Equatable, Sendable {
        package var room: String
        /// Share of the room in which a badge is not heard.
        package var unheard: String
        /// Share in which it is heard at times only.
        package var faint: String
        package var tag: StateTag?

        package init(room: String, unheard: String, faint: String, tag: StateTag?) {
            self.room = room
            self.unheard = unheard
            self.faint = faint
            self.tag = tag
        }
    }

    /// Positions of people.
    package struct Positions: Equatable, Sendable {
        /// Path of the event stream.
        package var stream: String
        /// Local time at which the positions were so.
        package var time: String
        /// Name of the time zone, for the script.
        package var zone: String
        /// Number of people on the floor, in words.
        package var total: String
        /// Reason why an empty map means nothing, in a sentence; `nil` if all of the floor is heard.
        package var doubt: String?
        /// Whether names are shown.
        package var hasNames: Bool

        package init(stream: String, time: String, zone: String, count: Int, doubt: String?, hasNames: Bool) {
            self.stream = stream
            self.time = time
            self.zone = zone
            total = count == 1 ? "1 person" : "\(count) people"
            self.doubt = doubt
            self.hasNames = hasNames
        }
    }

    /// A room, or another part of the floor.
    package struct Row: Equatable, Sendable {
        /// Key for the script: `room:` and the name of a room, `between` or `conflicting`.
        package var key: String
        package var name: String
        package var count: Int
        /// Names of the people, for readers who see them.
        package var people: String

        package init(key: String, name: String, people: [String], count: Int) {
            self.key = key
            self.name = name
            self.count = count
            self.people = people.joined(separator: ", ")
        }
    }

    /// A receiver, or a module.
    package struct Receiver: Equatable, Sendable {
        /// Key for the script: as that of its sign on the map.
        package var key: String
        package var name: String
        package var location: String
        package var state: StateTag

        package init(key: String, name: String, location: String, state: StateTag) {
            self.key = key
            self.name = name
            self.location = location
            self.state = state
        }
    }

    package init(
        _ frame: Frame, place: String, path: String, positions: Positions?, picture: String, rows: [Row],
        receivers: [Receiver], coverage: Coverage? = nil, coveragePath: String? = nil, plainPath: String? = nil,
        editPath: String? = nil, matrixPath: String? = nil, isLarge: Bool = false, sizePath: String? = nil
    ) {
        self.frame = frame
        self.place = place
        self.path = path
        self.positions = positions
        self.picture = picture
        self.rows = rows
        self.receivers = receivers
        self.coverage = coverage
        self.coveragePath = coveragePath
        self.plainPath = plainPath ?? path
        self.editPath = editPath
        self.matrixPath = matrixPath
        self.isLarge = isLarge
        self.sizePath = sizePath ?? path + "?map=large#map"
    }
}
