import BeaconModel
package import RecordContract

/// What other people's tools expect of a gateway, made of what happens in it. Pure; only what the settings name is made.
package struct Outputs: Sendable {
    private var homeAssistant: HomeAssistantOutput?
    private var roomPresence: RoomPresenceOutput?
    private var homie: HomieOutput?
    private var raddec: RaddecOutput?
    /// To be written down whenever `handle` says so.
    package private(set) var retained: RetainedTopics
    private var hasStarted = false
    /// Whose past topics are still to be emptied by the connection that published them.
    private let homiePrefix: String?

    /// - Parameter retained: what the run before has left behind.
    package init(settings: OutputSettings, gateway: OutputGateway, retained: RetainedTopics = .init()) {
        homeAssistant = settings.homeAssistant.map { HomeAssistantOutput(gateway: gateway, settings: $0) }
        roomPresence = settings.roomPresence.map { RoomPresenceOutput(gateway: gateway, settings: $0) }
        homie = settings.homie.map { HomieOutput(gateway: gateway, settings: $0) }
        raddec = settings.raddec.map { RaddecOutput(gateway: gateway, settings: $0) }
        homiePrefix = settings.homie.map { $0.prefix + "/5/" }
        self.retained = retained
    }

    /// Filters of what others publish that is an event of the outputs.
    package var subscriptions: [String] { homeAssistant.map { [$0.statusTopic] } ?? [] }

    /// What Homie's own connection says when it is made, when it is lost, and when it ends; `nil` without Homie.
    package var homieAnnouncement: Announcement? { homie?.announcement }

    /// - Returns: what is to be published, and whether `retained` has to be written down before.
    package mutating func handle(_ event: OutputEvent) -> (batch: OutputBatch, hasRetainedChanged: Bool) {
        var batch = OutputBatch()
        if let more = homeAssistant?.handle(event) { batch = batch + more }
        if let more = roomPresence?.handle(event) { batch = batch + more }
        if let more = homie?.handle(event) { batch = batch + more }
        if let more = raddec?.handle(event) { batch = batch + more }
        if case .named = event {
            let cleared = clear(unless: Set((batch.gateway + batch.homie).map(\.topic)))
            // What is no more goes before what is new, and with a description that no longer names it.
            batch = cleared + batch
        }
        // A value that is empty for now isn't left behind.
        let hasChanged = retained.note(
            (batch.gateway + batch.homie).filter { !$0.payload.isEmpty || !(homie?.isCurrent($0.topic) ?? false) })
        return (batch, hasChanged)
    }

    /// Empties what the run before, or the configuration before, has left behind.
    private mutating func clear(unless published: Set<String>) -> OutputBatch {
        let isFirst = !hasStarted
        hasStarted = true
        let messages = retained.clearing(isRepeated: isFirst) { [homeAssistant, homie] topic in
            if published.contains(topic) { return true }
            // A value of the run before that isn't known yet is stale.
            return homeAssistant?.configurations[topic] != nil || (!isFirst && homie?.isCurrent(topic) ?? false)
        }.filter { !published.contains($0.topic) }
        return OutputBatch(
            gateway: messages.filter { message in !(homiePrefix.map { message.topic.hasPrefix($0) } ?? false) },
            homie: messages.filter { message in homiePrefix.map { message.topic.hasPrefix($0) } ?? false })
    }

    /// What matches the topics of `mqtt_room`; `nil` without it.
    package static func roomFilter(_ settings: OutputSettings, gateway: OutputGateway) -> String? {
        settings.roomPresence.map { "\($0.prefix)/+/\(gateway.roomLevel)" }
    }

    /// The tables of the configuration by which a topic would be longer than every broker takes.
    package static func tablesWithLongTopics(_ settings: OutputSettings, gateway: OutputGateway) -> [String] {
        let beacon = BeaconID(uuid: ProximityUUID(bits: 0), major: .max, minor: .max)
        let homeAssistant = settings.homeAssistant.map {
            HomeAssistantOutput(gateway: gateway, settings: $0).topic(beacon)
        }
        let roomPresence = settings.roomPresence.map {
            RoomPresenceOutput(gateway: gateway, settings: $0).topic(beacon)
        }
        let homie = settings.homie.map { settings in
            let output = HomieOutput(gateway: gateway, settings: settings)
            return output.topic(output.childID(beacon), "beacon/distance-upper")
        }
        let raddec = settings.raddec.map { RaddecOutput(gateway: gateway, settings: $0).topic(of: "000000000000") }
        let longest = [
            ("home-assistant", homeAssistant), ("mqtt-room", roomPresence), ("homie", homie), ("raddec", raddec),
        ]
        return longest.filter { ($0.1?.utf8.count ?? 0) > Topics.longestTopic }.map(\.0)
    }
}
