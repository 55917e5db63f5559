package import BeaconModel
package import ModuleDialogues
package import Proximity

/// A node that listens elsewhere, as the configuration has it.
package struct RemoteEarConfiguration: Equatable, Sendable {
    /// A level of topics.
    package var name: String
    package var kind: RemoteEarKind
    /// Filters of the topics: whom it hears, whether it is there, how much it has received.
    package var devicesTopic: String
    package var statusTopic: String?
    package var telemetryTopic: String?
    package var room: String?
    package var position: Place.Position?
    package var silence: InteractionRules.Silence
    /// A node that used to be heard of and says nothing at all for so long is deaf.
    package var deafAfter: Duration = defaultDeafAfter

    static let defaultDeafAfter: Duration = .seconds(5 * 60)
    package static let most = 64
    /// Bytes of the name.
    package static let longestName = 32

    package init(name: String, kind: RemoteEarKind, node: String? = nil) {
        self.name = name
        self.kind = kind
        let node = node ?? kind.defaultNode ?? name
        devicesTopic = kind.devicesTopic(of: node)
        statusTopic = kind.statusTopic(of: node)
        telemetryTopic = kind.telemetryTopic(of: node)
        silence = kind.silence
    }

    /// A module that listens.
    ///
    /// - Parameter rules: of the gateway.
    package init(listening entry: InventoryEntry, rules: InteractionRules) {
        self.init(name: entry.name, kind: .module)
        room = entry.room
        position = entry.position
        silence = rules.silence
        deafAfter = Self.modulesDeafAfter
    }

    /// A module that hears nobody proves every 10 s that it listens; one that takes turns listens in each minute.
    private static let modulesDeafAfter: Duration = .seconds(30)
    package static let longestPause: Duration = .seconds(150)

    /// By the configuration's keys.
    package var filters: [(key: String, filter: String)] {
        [("topic", devicesTopic), ("status-topic", statusTopic), ("telemetry-topic", telemetryTopic)]
            .compactMap { key, filter in filter.map { (key, $0) } }
    }

    /// Where it is, on a gateway's floor.
    package func place(beside gateway: Place) -> Place {
        Place(
            site: gateway.site, building: gateway.building, floor: gateway.floor, gateway: gateway.gateway, room: room,
            position: position, ear: name)
    }
}
