/// A room of the building, and how somebody is known to be in it.
struct Room: Equatable, Sendable {
    /// As timetables and people write it.
    var name: String
    /// In lower case: fixed beacons, `uuid/major/minor`, and receivers, `site/building/floor/gateway`. Without any, the
    /// places whose records name the room, of one floor.
    var places: [String]
    /// Who is nearer to one of its places is inside, in centimetres.
    var radius: Int64
    /// For how many people it is made.
    var capacity: Int?

    static let standardRadius: Int64 = 600

    init(name: String, places: [String] = [], radius: Int64 = standardRadius, capacity: Int? = nil) {
        self.name = name
        self.places = places
        self.radius = radius
        self.capacity = capacity
    }
}
