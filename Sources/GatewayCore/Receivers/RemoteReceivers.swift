package import BeaconModel
package import ModuleDialogues
package import Proximity

/// All remote receivers of a gateway. Pure.
package struct RemoteReceivers: Sendable {
    /// The receivers, in the order of the configuration.
    package var receivers: [RemoteReceiver]
    /// Place of each receiver.
    package private(set) var places: [Place]
    private let audience: Audience
    package private(set) var rules: InteractionRules
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
        receivers = all.map {
            RemoteReceiver($0, audience: audience, rules: configuration.rules, expected: expected)
        }
        places = all.map { $0.place(beside: configuration.place) }
    }

    /// Events, readings and signals of one remote receiver.
    package struct News: Sendable {
        package var receiver: Int
        package var events: [InteractionEvent]
        package var readings: [Readings] = []
        package var signals: [Signals] = []
    }

    package mutating func news(_ receiver: Int, _ events: [InteractionEvent]) -> News {
        News(
            receiver: receiver, events: events, readings: receivers[receiver].takeReadings(),
            signals: receivers[receiver].takeSignals())
    }

    package mutating func take(_ packet: RemoteReceiverPacket, now: Duration) -> News? {
        guard receivers.indices.contains(packet.receiver) else { return nil }
        let events = receivers[packet.receiver].take(packet, now: now)
        return news(packet.receiver, events)
    }

    /// Advances the time and sets whether there is a connection to the broker. To be called every second.
    package mutating func advance(isConnected: Bool, at time: Timestamp, now: Duration) -> [News] {
        receivers.prefix(configured).indices.map { receiver in
            let events = receivers[receiver].advance(isConnected: isConnected, at: time, now: now)
            return news(receiver, events)
        }
    }

    package mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [News] {
        receivers.prefix(configured).indices.map { receiver in
            let events = receivers[receiver].endAll(at: time, reason: reason)
            return news(receiver, events)
        }
    }

    /// Sets whether there are signals.
    package mutating func setSignals(_ isOn: Bool) {
        rules.hasSignals = isOn
        for index in receivers.indices { receivers[index].setSignals(isOn) }
    }

    /// Sets the beacons of the inventory.
    package mutating func expect(_ beacons: Set<BeaconID>) {
        for index in receivers.indices { receivers[index].expect(beacons) }
    }

    /// Tracker states to persist over a restart, by name.
    package var kept: [String: TrackerState] {
        Dictionary(
            receivers.prefix(configured).map { ($0.configuration.name, $0.kept) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the subjects heard since `time`, by receiver.
    package func heard(since time: Timestamp) -> [PresenceNote] {
        receivers.filter { $0.counts.lastMessageAt.map { $0 >= time } ?? false }.map {
            PresenceNote(note: $0.heard(since: time), ear: $0.configuration.name)
        }
    }

    /// Resumes from the persisted states of the previous run. A receiver is recognized by its name.
    package mutating func resume(_ kept: [String: TrackerState], ofRun boot: UInt64, at time: Timestamp) -> [News] {
        var news = receivers.indices.compactMap { index in
            kept[receivers[index].configuration.name].map {
                News(receiver: index, events: receivers[index].resume($0, ofRun: boot, rules: rules, at: time))
            }
        }
        let names = Set(receivers.map(\.configuration.name))
        // For a receiver that is no longer configured, it is unknown which subjects are still near it.
        for (name, state) in kept.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            let configuration = RemoteReceiverConfiguration(name: name, kind: .espresense)
            var receiver = RemoteReceiver(configuration, audience: audience, rules: rules, expected: [])
            let events =
                receiver.resume(state, ofRun: boot, rules: rules, at: time) + receiver.endAll(at: time, reason: .lost)
            guard !events.isEmpty else { continue }
            receivers.append(receiver)
            places.append(configuration.place(beside: gateway))
            news.append(News(receiver: receivers.count - 1, events: events))
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
        let before = modules.map { (receivers[$0], places[$0]) }
        let now = wanted.map { configuration in
            var receiver =
                before.first { $0.0.configuration.name == configuration.name }?.0
                ?? RemoteReceiver(configuration, audience: audience, rules: rules, expected: beacons)
            receiver.move(to: configuration.room, configuration.position)
            return (receiver, configuration.place(beside: gateway))
        }
        let names = Set(wanted.map(\.name))
        let gone = before.filter { !names.contains($0.0.configuration.name) }
        receivers = receivers.prefix(nodes) + (now + gone).map(\.0)
        places = places.prefix(nodes) + (now + gone).map(\.1)
        configured = nodes + now.count
        return (configured..<receivers.count).map { receiver in
            let events = receivers[receiver].endAll(at: time, reason: .lost)
            return news(receiver, events)
        }
    }

    /// Returns the states of the receivers for the health message.
    package func reports(at time: Timestamp) -> [RemoteReceiverReport] {
        receivers.prefix(nodes).map { RemoteReceiverReport($0, at: time) }
    }
}
