import Attendance
package import FloorPlans
package import Localisation
package import Matching

/// Rooms of floor plans, by the names that people and timetables use.
package struct PlanRooms: Sendable {
    /// A room of a plan.
    package struct Room: Equatable, Sendable {
        /// Path of the floor.
        package var floor: String
        package var name: String
    }

    private var rooms: [String: Room] = [:]

    /// Creates the directory. A name that two rooms have denotes none.
    package init(_ plans: [FloorPlan]) {
        let all = plans.flatMap { plan in plan.rooms.map { Room(floor: plan.path, name: $0.name) } }
        for (key, rooms) in Dictionary(grouping: all, by: { NameKey.of($0.name) }) where rooms.count == 1 {
            self.rooms[key] = rooms[0]
        }
    }

    package func room(_ name: String?) -> Room? { name.flatMap { rooms[NameKey.of($0)] } }

    /// Returns stays in a room, where those of located subjects are told by the plan's rooms and not by a radius.
    ///
    /// - Parameters:
    ///   - byRadius: stays at the places of the room, with distances.
    ///   - located: located stays by subject, on any floor.
    /// - Returns: stays with distances; a subject that was located in the room has the distance 0.
    package static func stays(
        _ byRadius: [Stay], located: [Int64: [SettledStay]], in room: Room
    ) -> [Stay] {
        if located.isEmpty { return byRadius }
        var stays = byRadius.flatMap { stay in located[stay.subject].map { stay.outside($0) } ?? [stay] }
        for (subject, places) in located {
            for place in places where place.floor == room.floor && place.room == room.name {
                stays.append(
                    Stay(
                        subject: subject, place: 0, start: place.start, end: place.end,
                        distance: .init(centimetres: 0, lower: 0, upper: 0)))
            }
        }
        return stays.sorted { ($0.start, $0.end, $0.subject, $0.place) < ($1.start, $1.end, $1.subject, $1.place) }
    }
}

extension Stay {
    /// Returns the parts of the stay in which the subject was located in no room.
    fileprivate func outside(_ located: [SettledStay]) -> [Stay] {
        var parts: [Stay] = []
        var start = self.start
        for place in located.sorted(by: { $0.start < $1.start })
        where place.room != nil && place.end > start && place.start < end {
            if place.start > start, let part = within(since: start, until: place.start) { parts.append(part) }
            start = max(start, place.end)
        }
        if start < end, let part = within(since: start, until: end) { parts.append(part) }
        return parts
    }
}
