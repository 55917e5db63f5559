public import BeaconModel

/// A beacon that the configuration names, and the only kind that other tools are told of: a module of the inventory, or
/// one of the known beacons.
public struct NamedBeacon: Equatable, Sendable {
    public var beacon: BeaconID
    /// For people.
    public var name: String
    /// `nil` for a beacon that is no module of this gateway's.
    public var module: Module?

    public struct Module: Equatable, Sendable {
        /// A level of the module's topics.
        public var name: String
        public var room: String?

        public init(name: String, room: String?) {
            self.name = name
            self.room = room
        }
    }

    public init(beacon: BeaconID, name: String, module: Module? = nil) {
        self.beacon = beacon
        self.name = name
        self.module = module
    }

    /// More are refused when a configuration is read, so that what is kept of each is bounded.
    public static let most = 1000
}
