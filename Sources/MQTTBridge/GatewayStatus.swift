import BeaconModel

/// What is published on the `status` topic.
public struct GatewayStatus: Sendable {
    private let boot: UInt64

    public init(boot: UInt64) { self.boot = boot }

    func message(_ state: State, topic: String, at time: Timestamp?) -> MQTTMessage {
        MQTTMessage(
            topic: topic,
            payload: JSON.encode(Payload(boot: boot, state: state.rawValue, time: time?.rfc3339)), isRetained: true)
    }

    enum State: String {
        case online, stopping
        /// Published by the broker, as the will.
        case lost
    }

    private struct Payload: Encodable {
        var boot: UInt64
        var state: String
        var time: String?
    }
}
