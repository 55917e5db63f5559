package import BeaconModel
import RecordContract

/// Device-based MQTT discovery of Home Assistant. It publishes what the entities are. Their values are in the gateway's
/// own topics, which the entities' templates read.
///
/// A beacon is one device, whichever gateways know it. Each gateway adds its own entities to it, named after its room,
/// so that no entity alternates between rooms. Only named beacons have entities.
///
/// A beacon's presence is a binary sensor, not a device tracker: one of several gateways cannot tell whether a person
/// is at home.
package struct HomeAssistantOutput: Sendable {
    package let gateway: OutputGateway
    package let settings: OutputSettings.HomeAssistant
    /// Retained configurations by topic.
    package private(set) var configurations: [String: [UInt8]] = [:]

    package init(gateway: OutputGateway, settings: OutputSettings.HomeAssistant) {
        self.gateway = gateway
        self.settings = settings
    }

    /// The topic on which Home Assistant reports that it has started.
    package var statusTopic: String { settings.discoveryPrefix + "/status" }

    /// Returns the discovery topic of a beacon, or of the gateway if `beacon` is `nil`.
    package func topic(_ beacon: BeaconID?) -> String {
        let identifier = beacon.map { gateway.identifier + "_" + Self.identifier($0) } ?? gateway.identifier
        return "\(settings.discoveryPrefix)/device/\(identifier)/config"
    }

    /// Returns the identifier of a beacon, which is the same for all gateways.
    package static func identifier(_ beacon: BeaconID) -> String { "\(beacon.uuid)_\(beacon.major)_\(beacon.minor)" }

    package mutating func handle(_ event: OutputEvent) -> OutputBatch {
        switch event {
        case .named(let beacons):
            configurations = [topic(nil): JSON.encode(gatewayDevice)]
            for beacon in beacons { configurations[topic(beacon.beacon)] = JSON.encode(device(of: beacon)) }
            return OutputBatch(
                gateway: configurations.sorted { $0.key < $1.key }.map {
                    MQTTMessage(topic: $0.key, payload: $0.value, isRetained: true)
                })
        case .message(let message):
            guard message.topic == statusTopic, message.payload == Array("online".utf8) else { return OutputBatch() }
            return OutputBatch(again: Set(configurations.keys))
        case .interaction, .present, .decodings, .radio, .module, .health, .stopping: return OutputBatch()
        }
    }
}
