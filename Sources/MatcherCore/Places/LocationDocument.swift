import FloorPlans
import OperatorText
import RecordContract

/// The place of a subject on a topic or for itself.
package struct LocationDocument: Encodable, Equatable, Sendable {
    package var site: String
    package var building: String
    package var floor: String
    /// `room`, `between`, `floor` or `conflicting`.
    package var state: String
    package var room: String?
    package var rooms: [String]?
    package var probability: Double
    package var position: Position?
    /// Radius round the position, in metres.
    package var radius: Double?
    package var since: String
    package var time: String

    /// A position on the floor's plan, in metres.
    package struct Position: Encodable, Equatable, Sendable {
        package var x: Double
        package var y: Double
    }

    /// Creates the document.
    ///
    /// - Parameter clock: converts times of `LiveFloors` to seconds since 1970.
    package init(_ live: LivePosition, clock: (Double) -> Int64) {
        let levels = live.floor.split(separator: "/").map(String.init) + ["", "", ""]
        (site, building, floor) = (levels[0], levels[1], levels[2])
        state = live.place.state
        if case .room(let room) = live.place { self.room = room }
        if case .between(let rooms) = live.place { self.rooms = rooms }
        probability = rounded(live.probability, 100)
        position = live.position.map { Position(x: rounded($0.x, 100), y: rounded($0.y, 100)) }
        radius = live.radius.map { rounded($0, 10) }
        since = InstantText.utc(clock(live.since))
        time = InstantText.utc(clock(live.heardAt))
    }
}
