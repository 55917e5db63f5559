package import BeaconModel

/// A beacon that the configuration names: a module of the inventory, or one of the known beacons. Only these are
/// published to other tools.
package struct NamedBeacon: Equatable, Sendable {
    package var beacon: BeaconID
    /// The name for display.
    package var name: String
    /// The module; `nil` for a beacon that is not a module of this gateway.
    package var module: Module?

    package struct Module: Equatable, Sendable {
        /// The module's name, which is a level of its topics.
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

    /// Maximum number of named beacons. A configuration with more is rejected, so that memory is bounded.
    package static let most = 1000
}
