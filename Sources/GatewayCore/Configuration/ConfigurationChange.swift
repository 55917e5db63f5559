import BeaconModel
import Exposition
import ModuleDialogues
import Proximity

/// Differences between the running configuration and one that was read later. Pure.
package struct ConfigurationChange: Equatable {
    /// Changed tables that take effect only after a restart.
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
            ("remote-receivers", old.remoteReceivers != new.remoteReceivers),
            ("known-beacons", old.knownBeacons != new.knownBeacons),
            ("home-assistant, mqtt-room, homie, raddec", old.outputs != new.outputs),
            ("metrics", old.metrics != new.metrics),
            ("state", old.stateDirectory != new.stateDirectory),
            ("local-socket", old.localSocket != new.localSocket),
            ("rollout", old.isConfiguredFromAfar != new.isConfiguredFromAfar),
        ]
        needsRestart = tables.filter(\.hasChanged).map(\.name)
    }

    /// Returns the presence rules alone.
    private static func presence(_ configuration: Configuration) -> InteractionRules {
        var rules = configuration.rules
        rules.distance = DistanceRules()
        rules.readingsInterval = nil
        rules.hasSignals = false
        return rules
    }

    /// Returns the positions of the modules, which the distance calibration depends on.
    private static func positions(_ inventory: Inventory) -> [BeaconID: Place.Position] {
        Dictionary(
            inventory.entries.compactMap { entry in
                entry.position.map { (entry.configuration.beacon, $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }
}
