package import BeaconModel

/// The status published on the `status` topic.
package struct GatewayStatus: Sendable {
    /// Reception state of the gateway. A gateway that is online and deaf looks healthy but is not.
    package enum Hearing: String, Sendable {
        case off, hearing, quiet, deaf
    }

    /// State of one adapter.
    package struct Adapter: Encodable, Equatable, Sendable {
        /// The adapter's name in the configuration.
        package var name: String
        /// The adapter's present or last number.
        package var adapter: String?
        /// Reception state: `starting`, `hearing`, `quiet` or `deaf`.
        package var state: String
        /// The reason for deafness as a code.
        package var reason: String?
        /// The reason for deafness as a sentence.
        package var error: String?
        /// Start of the state, RFC 3339.
        package var since: String?

        package init(
            name: String, adapter: String?, state: String, reason: String?, error: String?, since: String?
        ) {
            self.error = error
            self.name = name
            self.adapter = adapter
            self.state = state
            self.reason = reason
            self.since = since
        }
    }

    private let boot: UInt64
    package var hearing: Hearing = .off
    package var adapters: [Adapter] = []

    package init(boot: UInt64) { self.boot = boot }

    /// Returns the announcement of this status on `topic`.
    package func announcement(topic: String) -> Announcement {
        Announcement(
            will: message(.lost, topic: topic, at: nil), online: { message(.online, topic: topic, at: $0) },
            farewell: { message(.stopping, topic: topic, at: $0) })
    }

    /// Returns the message for a state.
    ///
    /// - Parameter time: `nil` for a message that is published later.
    package func message(_ state: State, topic: String, at time: Timestamp?) -> MQTTMessage {
        let isOnline = state == .online
        return MQTTMessage(
            topic: topic,
            payload: JSON.encode(
                Payload(
                    boot: boot, state: state.rawValue, time: time?.rfc3339, radio: isOnline ? hearing.rawValue : nil,
                    adapters: isOnline ? adapters : nil)), isRetained: true)
    }

    package enum State: String {
        case online, stopping
        /// The will, which the broker publishes.
        case lost
    }

    private struct Payload: Encodable {
        package var boot: UInt64
        package var state: String
        package var time: String?
        package var radio: String?
        package var adapters: [Adapter]?
    }
}
