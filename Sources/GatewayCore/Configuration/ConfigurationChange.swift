import BeaconModel
import ModuleDialogues
import Proximity

/// What differs between a configuration that a gateway runs with and one that was read since. Pure.
package struct ConfigurationChange: Equatable {
    /// Tables whose changes a running gateway can't take up.
    package var needsRestart: [String]

    package init(from old: Configuration, to new: Configuration) {
        let tables: [(name: String, hasChanged: Bool)] = [
            ("place", old.place != new.place),
            ("mqtt", old.broker != new.broker || old.topicPrefix != new.topicPrefix),
            ("outbox", old.outbox != new.outbox),
            ("radio", old.adapters != new.adapters || old.scanPath != new.scanPath),
            ("beacons", old.listedUUIDs != new.listedUUIDs),
            ("phones", old.pseudonymSecret != new.pseudonymSecret),
            ("signing", old.signingKey != new.signingKey),
            ("exchange", old.exchange != new.exchange),
            ("interactions", Self.presence(old) != Self.presence(new)),
            ("readings", old.rules.readingsInterval != new.rules.readingsInterval),
            (
                "distance",
                old.rules.distance != new.rules.distance
                    || old.calibratesAutomatically != new.calibratesAutomatically
                    || Self.positions(old.inventory) != Self.positions(new.inventory)
            ),
            ("social-distance", old.socialDistance != new.socialDistance),
            ("remote-ears", old.remoteEars != new.remoteEars),
            ("known-beacons", old.knownBeacons != new.knownBeacons),
            ("home-assistant, mqtt-room, homie, raddec", old.outputs != new.outputs),
            ("state", old.stateDirectory != new.stateDirectory),
        ]
        needsRestart = tables.filter(\.hasChanged).map(\.name)
    }

    /// The rules of presence alone.
    private static func presence(_ configuration: Configuration) -> InteractionRules {
        var rules = configuration.rules
        rules.distance = DistanceRules()
        rules.readingsInterval = nil
        return rules
    }

    /// Where modules hang: distances are calibrated by that.
    private static func positions(_ inventory: Inventory) -> [BeaconID: Place.Position] {
        Dictionary(
            inventory.entries.compactMap { entry in
                entry.position.map { (entry.configuration.beacon, $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }
}
