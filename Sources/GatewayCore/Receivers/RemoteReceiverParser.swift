import BeaconModel
package import RecordContract

/// Parses what nodes publish. Pure; any bytes can arrive on their topics.
package enum RemoteReceiverParser {
    /// Maximum lengths of a message and of its topic, in bytes.
    package static let longest = 4096
    package static let longestTopic = 512

    package static func parse(
        _ message: MQTTMessage, on topic: RemoteReceiverTopic, of kind: RemoteReceiverKind
    ) -> Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal> {
        guard message.payload.count <= longest, message.topic.utf8.count <= longestTopic else {
            return .failure(.tooLong)
        }
        switch topic {
        case .status: return status(message.payload)
        case .telemetry, .devices:
            guard !message.isRetained else { return .failure(.retained) }
            if topic == .telemetry { return telemetry(message.payload) }
            switch kind {
            case .espresense: return ESPresenseReading.read(message.payload)
            case .openmqttgateway, .theengs: return BTtoMQTTReading.read(message.payload)
            case .module: return .failure(.unknownStatus)
            }
        }
    }

    private static func status(_ payload: [UInt8]) -> Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal> {
        switch String(decoding: payload.prefix(16), as: UTF8.self) {
        case "online": .success(.online)
        case "offline": .success(.offline)
        default: .failure(.unknownStatus)
        }
    }

    private struct Telemetry: Decodable {
        /// Number of advertisements received; left out by a node that has received none.
        var adverts: UInt64?
    }

    private static func telemetry(_ payload: [UInt8]) -> Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal> {
        guard let telemetry = try? JSON.decode(Telemetry.self, from: payload) else { return .failure(.notJSON) }
        return .success(.received(telemetry.adverts ?? 0))
    }

    /// Returns a signal strength as nodes write it: whole or, where they smooth it, decimal.
    package static func dBm(_ value: Double) -> Int8? { Int8(exactly: value.rounded()) }

    /// Returns the measured power of a beacon if the value is plausible: the signal at 1 m is weaker than the one
    /// transmitted.
    package static func measuredPower(_ value: Double?) -> Int8? { value.flatMap(dBm).flatMap { $0 < 0 ? $0 : nil } }
}
