import Attendance

/// Rooms by the names that people and timetables use.
package struct RoomDirectory: Sendable {
    private let rooms: [String: Room]

    package init(_ rooms: [Room]) {
        self.rooms = Dictionary(rooms.map { (NameKey.of($0.name), $0) }) { first, _ in first }
    }

    package func room(_ name: String?) -> Room? { name.flatMap { rooms[NameKey.of($0)] } }
}
