package import BeaconModel

/// A beacon that the configuration names, and the only kind that other tools are told of: a module of the inventory, or
/// one of the known beacons.
package struct NamedBeacon: Equatable, Sendable {
    package var beacon: BeaconID
    /// For people.
    package var name: String
    /// `nil` for a beacon that is no module of this gateway's.
    package var module: Module?

    package struct Module: Equatable, Sendable {
        /// A level of the module's topics.
        package var name: String
        package var room: String?

        package init(name: String, room: String?) {
            self.name = name
            self.room = room
        }
    }

    package init(beacon: BeaconID, name: String, module: Module? = nil) {
        self.beacon = beacon
        self.name = name
        self.module = module
    }

    /// More are refused when a configuration is read, so that what is kept of each is bounded.
    package static let most = 1000
}
