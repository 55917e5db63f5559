import Attendance

/// Rooms by the names that people and timetables use.
struct RoomDirectory: Sendable {
    private let rooms: [String: Room]

    init(_ rooms: [Room]) {
        self.rooms = Dictionary(rooms.map { (NameKey.of($0.name), $0) }) { first, _ in first }
    }

    func room(_ name: String?) -> Room? { name.flatMap { rooms[NameKey.of($0)] } }
}
