package import BeaconModel
package import ModuleDialogues
package import Proximity

/// All remote receivers of a gateway. Pure.
package struct RemoteReceivers: Sendable {
    /// The receivers, in the order of the configuration.
    package var ears: [RemoteReceiver]
    /// Place of each receiver.
    package private(set) var places: [Place]
    private let audience: Audience
    package let rules: InteractionRules
    private let gateway: Place
    /// Number of receivers that publish by MQTT; modules follow them.
    private let nodes: Int
    /// Number of configured receivers; receivers removed from the configuration follow them.
    private var configured: Int

    package init(_ configuration: Configuration, audience: Audience) {
        rules = configuration.rules
        self.audience = audience
        gateway = configuration.place
        nodes = configuration.remoteReceivers.count
        let all = configuration.remoteReceivers + Self.listening(configuration.inventory, configuration.rules)
        configured = all.count
        let expected = Set(configuration.inventory.entries.map(\.configuration.beacon))
        ears = all.map {
            RemoteReceiver($0, audience: audience, rules: configuration.rules, expected: expected)
        }
        places = all.map { $0.place(beside: configuration.place) }
    }

    /// Events and readings of one remote receiver.
    package struct News: Sendable {
        package var ear: Int
        package var events: [InteractionEvent]
        package var readings: [Readings] = []
    }

    package mutating func news(_ ear: Int, _ events: [InteractionEvent]) -> News {
        News(ear: ear, events: events, readings: ears[ear].takeReadings())
    }

    package mutating func take(_ packet: RemoteReceiverPacket, now: Duration) -> News? {
        guard ears.indices.contains(packet.ear) else { return nil }
        let events = ears[packet.ear].take(packet, now: now)
        return news(packet.ear, events)
    }

    /// Advances the time and sets whether there is a connection to the broker. To be called every second.
    package mutating func advance(isConnected: Bool, at time: Timestamp, now: Duration) -> [News] {
        ears.prefix(configured).indices.map { ear in
            let events = ears[ear].advance(isConnected: isConnected, at: time, now: now)
            return news(ear, events)
        }
    }

    package mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [News] {
        ears.prefix(configured).indices.map { ear in
            let events = ears[ear].endAll(at: time, reason: reason)
            return news(ear, events)
        }
    }

    /// Sets the beacons of the inventory.
    package mutating func expect(_ beacons: Set<BeaconID>) {
        for index in ears.indices { ears[index].expect(beacons) }
    }

    /// Tracker states to persist over a restart, by name.
    package var kept: [String: TrackerState] {
        Dictionary(
            ears.prefix(configured).map { ($0.configuration.name, $0.kept) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the subjects heard since `time`, by receiver.
    package func heard(since time: Timestamp) -> [PresenceNote] {
        ears.filter { $0.counts.lastMessageAt.map { $0 >= time } ?? false }.map {
            PresenceNote(note: $0.heard(since: time), ear: $0.configuration.name)
        }
    }

    /// Resumes from the persisted states of the previous run. A receiver is recognized by its name.
    package mutating func resume(_ kept: [String: TrackerState], ofRun boot: UInt64, at time: Timestamp) -> [News] {
        var news = ears.indices.compactMap { index in
            kept[ears[index].configuration.name].map {
                News(ear: index, events: ears[index].resume($0, ofRun: boot, rules: rules, at: time))
            }
        }
        let names = Set(ears.map(\.configuration.name))
        // For a receiver that is no longer configured, it is unknown which subjects are still near it.
        for (name, state) in kept.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            let configuration = RemoteReceiverConfiguration(name: name, kind: .espresense)
            var ear = RemoteReceiver(configuration, audience: audience, rules: rules, expected: [])
            let events = ear.resume(state, ofRun: boot, rules: rules, at: time) + ear.endAll(at: time, reason: .lost)
            guard !events.isEmpty else { continue }
            ears.append(ear)
            places.append(configuration.place(beside: gateway))
            news.append(News(ear: ears.count - 1, events: events))
        }
        return news
    }

    /// Range of the receivers that are listening modules.
    package var modules: Range<Int> { nodes..<configured }

    /// Sets which modules listen, and where they are.
    ///
    /// - Returns: the interactions that ended with modules that no longer listen.
    package mutating func setModules(_ inventory: Inventory, at time: Timestamp) -> [News] {
        let wanted = Self.listening(inventory, rules)
        let beacons = Set(inventory.entries.map(\.configuration.beacon))
        let before = modules.map { (ears[$0], places[$0]) }
        let now = wanted.map { configuration in
            var ear =
                before.first { $0.0.configuration.name == configuration.name }?.0
                ?? RemoteReceiver(configuration, audience: audience, rules: rules, expected: beacons)
            ear.move(to: configuration.room, configuration.position)
            return (ear, configuration.place(beside: gateway))
        }
        let names = Set(wanted.map(\.name))
        let gone = before.filter { !names.contains($0.0.configuration.name) }
        ears = ears.prefix(nodes) + (now + gone).map(\.0)
        places = places.prefix(nodes) + (now + gone).map(\.1)
        configured = nodes + now.count
        return (configured..<ears.count).map { ear in
            let events = ears[ear].endAll(at: time, reason: .lost)
            return news(ear, events)
        }
    }

    /// Returns the states of the receivers for the health message.
    package func reports(at time: Timestamp) -> [RemoteReceiverReport] {
        ears.prefix(nodes).map { RemoteReceiverReport($0, at: time) }
    }
}
