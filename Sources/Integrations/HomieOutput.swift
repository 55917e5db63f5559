import BeaconModel
package import RecordContract

/// Output of the gateway and its named beacons as devices of the Homie convention, version 5. The gateway is the root
/// device, each beacon a child. A beacon that two gateways know is a child of each, because a Homie device has one
/// root.
///
/// All messages are retained. An unknown property has no value: its topic is emptied.
package struct HomieOutput: Sendable {
    package let gateway: OutputGateway
    package let settings: OutputSettings.Homie
    /// Identifier of the root device. It includes a digest if a level of the place has a hyphen itself, so that no two
    /// places share an identifier.
    package let rootID: String
    private var children: [BeaconID: NamedBeacon] = [:]
    /// Beacons of modules by module name.
    private var modules: [String: BeaconID] = [:]
    /// Identifiers of the root and its children.
    private var devices: Set<String> = []
    /// Published value of each property topic, so that only changes are published.
    private var values: [String: String] = [:]
    /// Description with which each device was announced.
    private var descriptions: [String: String] = [:]
    private var isDeaf = false

    package init(gateway: OutputGateway, settings: OutputSettings.Homie) {
        self.gateway = gateway
        self.settings = settings
        let levels = [gateway.place.site, gateway.place.building, gateway.place.floor, gateway.place.gateway]
        let name = "bg-" + levels.joined(separator: "-")
        rootID =
            levels.contains { $0.contains("-") }
            ? name + "-" + TopicLevel.digest(of: levels.joined(separator: "/"), count: 4) : name
    }

    /// Returns the identifier of a child device.
    func childID(_ beacon: BeaconID) -> String {
        "\(rootID)-\(TopicLevel.hexadecimal(beacon.uuid.bytes))-\(beacon.major)-\(beacon.minor)"
    }

    package func topic(_ device: String, _ suffix: String) -> String { "\(settings.prefix)/5/\(device)/\(suffix)" }

    /// The announcement of the root device. Its state becomes `ready` once everything has been sent, as one of the
    /// states.
    package var announcement: Announcement {
        let (online, farewell) = (state(rootID, "init"), state(rootID, "disconnected"))
        return Announcement(will: state(rootID, "lost"), online: { _ in online }, farewell: { _ in farewell })
    }

    /// Whether a retained topic belongs to an existing device.
    package func isCurrent(_ topic: String) -> Bool {
        let levels = topic.split(separator: "/")
        guard levels.count > 2, levels[0] == settings.prefix, levels[1] == "5" else { return false }
        return devices.contains(String(levels[2]))
    }

    package mutating func handle(_ event: OutputEvent) -> OutputBatch {
        switch event {
        case .named(let beacons): return OutputBatch(homie: describe(beacons))
        case .interaction(let event):
            guard case .beacon(let beacon) = event.interaction.subject, children[beacon] != nil else {
                return OutputBatch()
            }
            return OutputBatch(homie: tell(event.interaction, of: beacon))
        case .radio(let hearing, _):
            var messages = set(rootID, "gateway/radio", hearing.rawValue)
            if isDeaf != (hearing == .deaf) {
                isDeaf = hearing == .deaf
                messages.append(
                    retained(topic(rootID, "$alert/radio"), isDeaf ? "the radio is deaf: nothing is received" : ""))
            }
            return OutputBatch(homie: messages)
        case .module(let name, let state):
            guard let beacon = modules[name], ModuleStates.all.contains(state) else { return OutputBatch() }
            return OutputBatch(homie: set(childID(beacon), "module/state", state))
        case .health(let health):
            return OutputBatch(
                homie: set(rootID, "gateway/reports-per-second", "\(rounded(max(0, health.reportsPerSecond), 10))")
                    + set(rootID, "gateway/outbox-records", "\(max(0, health.outboxRecords))")
                    + set(rootID, "gateway/outbox-time-left", health.outboxSecondsLeft.flatMap { Self.seconds($0) }))
        case .stopping:
            // The root's state is the farewell of its connection.
            return OutputBatch(homie: children.keys.sorted().map { state(childID($0), "disconnected") })
        case .present, .decodings, .message: return OutputBatch()
        }
    }

    /// Announces all new or changed devices, and the root. A description may change only in state `init`, so each
    /// device is in that state until its description and all values have been sent.
    private mutating func describe(_ named: [NamedBeacon]) -> [MQTTMessage] {
        children = [BeaconID: NamedBeacon](named.map { ($0.beacon, $0) }) { first, _ in first }
        modules = [String: BeaconID](named.compactMap { named in named.module.map { ($0.name, named.beacon) } }) {
            first, _ in first
        }
        devices = Set(children.keys.map { childID($0) } + [rootID])
        values = values.filter { isCurrent($0.key) }
        descriptions = descriptions.filter { devices.contains($0.key) }
        var messages: [MQTTMessage] = []
        messages += announce(rootID, rootDescription) { $0.set($0.rootID, "gateway/radio", "off") }
        for named in children.values.sorted(by: { $0.beacon < $1.beacon }) {
            messages += announce(childID(named.beacon), childDescription(named)) {
                $0.set($0.childID(named.beacon), "beacon/presence", "unknown")
                    + (named.module == nil ? [] : $0.set($0.childID(named.beacon), "module/state", "absent"))
            }
        }
        return messages
    }

    private mutating func announce(
        _ device: String, _ description: JSONValue, _ initialValues: (inout HomieOutput) -> [MQTTMessage]
    ) -> [MQTTMessage] {
        let payload = HomieDescription.payload(description)
        guard descriptions[device] != payload else { return [] }
        let isNew = descriptions.updateValue(payload, forKey: device) == nil
        return [state(device, "init"), retained(topic(device, "$description"), payload)]
            + (isNew ? initialValues(&self) : []) + [state(device, "ready")]
    }

    private mutating func tell(_ interaction: Interaction, of beacon: BeaconID) -> [MQTTMessage] {
        let device = childID(beacon)
        let presence =
            switch interaction.ending?.reason {
            case nil, .continued: "present"
            case .departed: "absent"
            case .lost, .shutdown: "unknown"
            }
        let isPresent = presence == "present"
        let distance = isPresent ? interaction.distance : nil
        return set(device, "beacon/presence", presence)
            + set(device, "beacon/proximity", isPresent ? interaction.proximity.name : nil)
            + set(device, "beacon/distance", distance.map { "\(rounded($0.metres, 100))" })
            + set(device, "beacon/distance-lower", distance.map { "\(rounded($0.lower, 100))" })
            + set(device, "beacon/distance-upper", distance.map { "\(rounded($0.upper, 100))" })
    }

    /// Sets a property and returns the messages for the change.
    ///
    /// - Parameter value: `nil` if unknown.
    private mutating func set(_ device: String, _ property: String, _ value: String?) -> [MQTTMessage] {
        let topic = topic(device, property)
        guard values[topic] != value else { return [] }
        values[topic] = value
        return [retained(topic, value ?? "")]
    }

    private func state(_ device: String, _ state: String) -> MQTTMessage {
        retained(topic(device, "$state"), state)
    }

    private func retained(_ topic: String, _ payload: String) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: true)
    }

    private static func seconds(_ value: Double) -> String? { Int64(exactly: value.rounded()).map { "\(max(0, $0))" } }

    private var rootDescription: JSONValue {
        HomieDescription.root(
            name: "Beacon gateway \(gateway.place.gateway)", children: devices.subtracting([rootID]).sorted())
    }

    private func childDescription(_ named: NamedBeacon) -> JSONValue {
        HomieDescription.child(
            name: "\(named.name) (\(gateway.roomName))", root: rootID, isModule: named.module != nil)
    }
}
