/// Room of the building, with the places that determine who is in it.
package struct Room: Equatable, Sendable {
    /// Name, as timetables and people write it.
    package var name: String
    /// Places in lower case: fixed beacons, `uuid/major/minor`, and receivers, `site/building/floor/gateway`. If empty,
    /// all places of one floor whose records name the room.
    package var places: [String]
    /// Distance from a place within which a subject is inside, in centimetres.
    package var radius: Int64
    /// Number of people for which the room is made.
    package var capacity: Int?

    package static let standardRadius: Int64 = 600

    package init(name: String, places: [String] = [], radius: Int64 = standardRadius, capacity: Int? = nil) {
        self.name = name
        self.places = places
        self.radius = radius
        self.capacity = capacity
    }
}
