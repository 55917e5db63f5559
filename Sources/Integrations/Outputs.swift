import BeaconModel
package import RecordContract

/// Outputs for third-party tools: the messages that they expect, derived from events in the gateway. Pure. Only the
/// outputs in the settings are produced.
package struct Outputs: Sendable {
    private var homeAssistant: HomeAssistantOutput?
    private var roomPresence: RoomPresenceOutput?
    private var homie: HomieOutput?
    private var raddec: RaddecOutput?
    /// Topics to be saved whenever `handle` reports a change.
    package private(set) var retained: RetainedTopics
    private var hasStarted = false
    /// The prefix of Homie's topics. Those of the past must be emptied by the connection that published them.
    private let homiePrefix: String?

    /// Creates the outputs.
    ///
    /// - Parameter retained: the topics that the previous run left behind.
    package init(settings: OutputSettings, gateway: OutputGateway, retained: RetainedTopics = .init()) {
        homeAssistant = settings.homeAssistant.map { HomeAssistantOutput(gateway: gateway, settings: $0) }
        roomPresence = settings.roomPresence.map { RoomPresenceOutput(gateway: gateway, settings: $0) }
        homie = settings.homie.map { HomieOutput(gateway: gateway, settings: $0) }
        raddec = settings.raddec.map { RaddecOutput(gateway: gateway, settings: $0) }
        homiePrefix = settings.homie.map { $0.prefix + "/5/" }
        self.retained = retained
    }

    /// Topic filters of the messages that must be passed to the outputs as events.
    package var subscriptions: [String] { homeAssistant.map { [$0.statusTopic] } ?? [] }

    /// Messages that Homie's own connection publishes when it is established, when it is lost, and when it ends; `nil`
    /// without Homie.
    package var homieAnnouncement: Announcement? { homie?.announcement }

    /// Processes an event.
    ///
    /// - Returns: the messages to publish, and whether `retained` must be saved before.
    package mutating func handle(_ event: OutputEvent) -> (batch: OutputBatch, hasRetainedChanged: Bool) {
        var batch = OutputBatch()
        if let more = homeAssistant?.handle(event) { batch = batch + more }
        if let more = roomPresence?.handle(event) { batch = batch + more }
        if let more = homie?.handle(event) { batch = batch + more }
        if let more = raddec?.handle(event) { batch = batch + more }
        if case .named = event {
            let cleared = clear(unless: Set((batch.gateway + batch.homie).map(\.topic)))
            // Obsolete topics are emptied before new ones are set, and after the description that no longer names them.
            batch = cleared + batch
        }
        // A value that is empty for now is not left behind.
        let hasChanged = retained.note(
            (batch.gateway + batch.homie).filter { !$0.payload.isEmpty || !(homie?.isCurrent($0.topic) ?? false) })
        return (batch, hasChanged)
    }

    /// Returns messages that empty the topics left behind by the previous run or the previous configuration.
    private mutating func clear(unless published: Set<String>) -> OutputBatch {
        let isFirst = !hasStarted
        hasStarted = true
        let messages = retained.clearing(isRepeated: isFirst) { [homeAssistant, homie] topic in
            if published.contains(topic) { return true }
            // A value of the previous run that is not known yet in this one is stale.
            return homeAssistant?.configurations[topic] != nil || (!isFirst && homie?.isCurrent(topic) ?? false)
        }.filter { !published.contains($0.topic) }
        return OutputBatch(
            gateway: messages.filter { message in !(homiePrefix.map { message.topic.hasPrefix($0) } ?? false) },
            homie: messages.filter { message in homiePrefix.map { message.topic.hasPrefix($0) } ?? false })
    }

    /// Returns the filter that matches the topics of `mqtt_room`; `nil` without it.
    package static func roomFilter(_ settings: OutputSettings, gateway: OutputGateway) -> String? {
        settings.roomPresence.map { "\($0.prefix)/+/\(gateway.roomLevel)" }
    }

    /// Returns the tables of the configuration whose topics would exceed the length that every broker accepts.
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
