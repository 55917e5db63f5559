/// The location of a gateway. The first four properties are levels of an MQTT topic.
public struct Place: Equatable, Sendable {
    /// Site; a level of the topics.
    public var site: String
    /// Building; a level of the topics.
    public var building: String
    /// Floor; a level of the topics.
    public var floor: String
    /// Gateway; a level of the topics.
    public var gateway: String
    /// Room, as records show it.
    public var room: String?
    /// Position on the floor plan.
    public var position: Position?
    /// The gateway's own fixed beacon. It is the key by which phones received here are joined with beacons ranged here.
    public var beacon: BeaconID?
    /// Remote receiver at `room` and `position`; `nil` for the gateway itself.
    public var ear: String?

    /// Creates a place from its parts.
    public init(
        site: String, building: String, floor: String, gateway: String, room: String? = nil,
        position: Position? = nil, beacon: BeaconID? = nil, ear: String? = nil
    ) {
        self.site = site
        self.building = building
        self.floor = floor
        self.gateway = gateway
        self.room = room
        self.position = position
        self.beacon = beacon
        self.ear = ear
    }

    /// A position in metres from the origin of the floor plan.
    public struct Position: Equatable, Sendable {
        /// Metres along the first axis of the floor plan.
        public var x: Double
        /// Metres along the second axis of the floor plan.
        public var y: Double
        /// Metres above the floor.
        public var z: Double

        /// Creates a position from its coordinates.
        public init(x: Double, y: Double, z: Double) {
            self.x = x
            self.y = y
            self.z = z
        }
    }
}
