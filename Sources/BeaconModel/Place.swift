/// The location of a gateway. The first four properties are levels of an MQTT topic.
public struct Place: Equatable, Sendable {
    public var site: String
    public var building: String
    public var floor: String
    public var gateway: String
    public var room: String?
    public var position: Position?
    /// The gateway's own fixed beacon. It is the key by which phones received here are joined with beacons ranged here.
    public var beacon: BeaconID?
    /// Remote receiver at `room` and `position`; `nil` for the gateway itself.
    public var ear: String?

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
        public var x: Double
        public var y: Double
        public var z: Double

        public init(x: Double, y: Double, z: Double) {
            self.x = x
            self.y = y
            self.z = z
        }
    }
}
