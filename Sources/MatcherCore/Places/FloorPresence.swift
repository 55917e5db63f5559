/// Who may be on a floor and in its rooms: the probability of each subject.
package struct FloorPresence: Equatable, Sendable {
    /// Probabilities by room, for each subject that can be there.
    package var rooms: [String: [Double]] = [:]
    /// For each subject, that it is on the floor.
    package var whole: [Double] = []
    /// Whether all of the floor is heard: if not, nobody there means nothing.
    package var isHeard = false
    /// Rooms that are heard.
    package var heardRooms: Set<String> = []

    package init() {}
}
