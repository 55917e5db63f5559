package import BeaconModel
package import ModuleDialogues
package import Proximity

/// Configuration of a remote receiver.
package struct RemoteReceiverConfiguration: Equatable, Sendable {
    /// Name of the receiver: one level of the topics.
    package var name: String
    package var kind: RemoteReceiverKind
    /// Topic filters for the devices that the node hears, its status, and its telemetry of advertisements received.
    package var devicesTopic: String
    package var statusTopic: String?
    package var telemetryTopic: String?
    package var room: String?
    package var position: Place.Position?
    package var silence: InteractionRules.Silence
    /// Time without any message after which a node that was heard from before counts as deaf.
    package var deafAfter: Duration = defaultDeafAfter

    static let defaultDeafAfter: Duration = .seconds(5 * 60)
    package static let most = 64
    /// Maximum length of the name in bytes.
    package static let longestName = 32

    package init(name: String, kind: RemoteReceiverKind, node: String? = nil) {
        self.name = name
        self.kind = kind
        let node = node ?? kind.defaultNode ?? name
        devicesTopic = kind.devicesTopic(of: node)
        statusTopic = kind.statusTopic(of: node)
        telemetryTopic = kind.telemetryTopic(of: node)
        silence = kind.silence
    }

    /// Creates the configuration of a listening module.
    ///
    /// - Parameter rules: the gateway's rules.
    package init(listening entry: InventoryEntry, rules: InteractionRules) {
        self.init(name: entry.name, kind: .module)
        room = entry.room
        position = entry.position
        silence = rules.silence
        deafAfter = Self.modulesDeafAfter
    }

    /// Limits for modules. A listening module that hears no device proves every 10 s that it listens; one that takes
    /// turns listens in each minute.
    private static let modulesDeafAfter: Duration = .seconds(30)
    package static let longestPause: Duration = .seconds(150)

    /// Topic filters, with their configuration keys.
    package var filters: [(key: String, filter: String)] {
        [("topic", devicesTopic), ("status-topic", statusTopic), ("telemetry-topic", telemetryTopic)]
            .compactMap { key, filter in filter.map { (key, $0) } }
    }

    /// Returns the place of the receiver, on the gateway's floor.
    package func place(beside gateway: Place) -> Place {
        Place(
            site: gateway.site, building: gateway.building, floor: gateway.floor, gateway: gateway.gateway, room: room,
            position: position, ear: name)
    }
}
