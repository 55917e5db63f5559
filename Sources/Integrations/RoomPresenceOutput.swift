import BeaconModel
import RecordContract

/// Who is in this gateway's room, as ESPresense and room-assistant say it and Home Assistant's `mqtt_room` reads it:
/// a reading of each present beacon in every interval, which isn't retained, so that whoever leaves falls silent.
struct RoomPresenceOutput: Sendable {
    let gateway: OutputGateway
    let settings: OutputSettings.RoomPresence
    private var names: [BeaconID: String] = [:]
    private var isDeaf = false

    init(gateway: OutputGateway, settings: OutputSettings.RoomPresence) {
        self.gateway = gateway
        self.settings = settings
    }

    /// A reading; the first three are what `mqtt_room` asks for.
    private struct Reading: Encodable {
        var id: String
        var name: String
        /// Metres, and the interval in which they lie with a probability of 90 %.
        var distance: Double
        var lower: Double
        var upper: Double
        var proximity: String
        /// dBm, the median of the interaction.
        var rssi: Int?
    }

    /// `mqtt_room` takes it for equal to the identifier in the payload, which ESPresense would give the same beacon with
    /// a colon; not every broker takes that in a topic.
    func topic(_ beacon: BeaconID) -> String {
        "\(settings.prefix)/iBeacon-\(beacon.uuid)-\(beacon.major)-\(beacon.minor)/\(gateway.roomLevel)"
    }

    mutating func handle(_ event: OutputEvent) -> OutputBatch {
        switch event {
        case .named(let beacons):
            names = [BeaconID: String](beacons.map { ($0.beacon, $0.name) }, uniquingKeysWith: { first, _ in first })
            return OutputBatch()
        case .radio(let hearing, _):
            isDeaf = hearing == .deaf
            return OutputBatch()
        case .present(let interactions):
            // What was near before a deafness isn't known to be near now.
            guard !isDeaf else { return OutputBatch() }
            return OutputBatch(gateway: interactions.compactMap { reading(of: $0) })
        case .interaction, .decodings, .module, .health, .message, .stopping: return OutputBatch()
        }
    }

    private func reading(of interaction: Interaction) -> MQTTMessage? {
        guard case .beacon(let beacon) = interaction.subject, let name = names[beacon], interaction.ending == nil,
            let distance = interaction.distance
        else { return nil }
        let reading = Reading(
            id: "iBeacon:\(beacon.uuid)-\(beacon.major)-\(beacon.minor)", name: name,
            distance: rounded(distance.metres, 100), lower: rounded(distance.lower, 100),
            upper: rounded(distance.upper, 100), proximity: interaction.proximity.name,
            rssi: interaction.rssi?.median)
        return MQTTMessage(topic: topic(beacon), payload: JSON.encode(reading), qualityOfService: .atMostOnce)
    }
}
