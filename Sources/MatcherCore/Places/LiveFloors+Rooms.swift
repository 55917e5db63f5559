package import Matching

extension LiveFloors {
    /// Returns whether one of the subjects is shown in a room of a plan, and was heard at a time or later.
    ///
    /// - Parameter time: seconds on the clock of the floors.
    package func shows(
        oneOf subjects: [SubjectIdentity], in room: PlanRooms.Room, heardSince time: Double
    ) -> Bool {
        subjects.contains { subject in
            guard let position = position(of: subject) else { return false }
            return position.floor == room.floor && position.place == .room(room.name) && position.heardAt >= time
        }
    }
}
