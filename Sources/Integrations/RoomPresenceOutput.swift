import BeaconModel
import RecordContract

/// Beacons present in this gateway's room, in the format of ESPresense and room-assistant, which Home Assistant's
/// `mqtt_room` reads. Each present beacon has one reading in every interval. Readings are not retained, so a departed
/// beacon's readings stop.
struct RoomPresenceOutput: Sendable {
    let gateway: OutputGateway
    let settings: OutputSettings.RoomPresence
    private var names: [BeaconID: String] = [:]
    private var isDeaf = false

    init(gateway: OutputGateway, settings: OutputSettings.RoomPresence) {
        self.gateway = gateway
        self.settings = settings
    }

    /// A reading; `mqtt_room` requires the first three members.
    private struct Reading: Encodable {
        var id: String
        var name: String
        /// Distance in metres; `lower` and `upper` are the bounds of its 90 % interval.
        var distance: Double
        var lower: Double
        var upper: Double
        var proximity: String
        /// Median RSSI of the interaction in dBm.
        var rssi: Int?
    }

    /// Returns the topic of a beacon. `mqtt_room` treats its level as equal to the identifier in the payload.
    /// ESPresense would write that identifier with a colon in the topic too, which not every broker accepts.
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
            // A beacon that was near before the radio became deaf may not be near now.
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
