package import BeaconModel
import RecordContract

/// Device-based MQTT discovery of Home Assistant: what the entities are is published here; what they show is in the
/// gateway's own topics, which their templates read.
///
/// A beacon is one device, whichever gateways know it, and each of them adds entities of its own, named after its room:
/// so nothing goes to and fro between rooms. Only named beacons have entities.
///
/// A beacon's presence is a binary sensor and no device tracker: whether somebody is at home isn't what one gateway of
/// several can say.
package struct HomeAssistantOutput: Sendable {
    package let gateway: OutputGateway
    package let settings: OutputSettings.HomeAssistant
    /// The retained configurations by topic.
    package private(set) var configurations: [String: [UInt8]] = [:]

    package init(gateway: OutputGateway, settings: OutputSettings.HomeAssistant) {
        self.gateway = gateway
        self.settings = settings
    }

    /// Where Home Assistant says that it has started.
    package var statusTopic: String { settings.discoveryPrefix + "/status" }

    /// The topic of what one beacon, or without one the gateway, looks like.
    package func topic(_ beacon: BeaconID?) -> String {
        let identifier = beacon.map { gateway.identifier + "_" + Self.identifier($0) } ?? gateway.identifier
        return "\(settings.discoveryPrefix)/device/\(identifier)/config"
    }

    /// The same for all gateways.
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
