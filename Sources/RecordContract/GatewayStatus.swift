package import BeaconModel

/// What is published on the `status` topic.
package struct GatewayStatus: Sendable {
    /// Whether the gateway hears anything: one that is online and deaf looks well and isn't.
    package enum Hearing: String, Sendable {
        case off, hearing, quiet, deaf
    }

    /// How one adapter is.
    package struct Adapter: Encodable, Equatable, Sendable {
        /// As the configuration names it.
        package var name: String
        /// The number that it has now, or had last.
        package var adapter: String?
        /// `starting`, `hearing`, `quiet` or `deaf`.
        package var state: String
        /// Why it is deaf.
        package var reason: String?
        /// The same in a sentence.
        package var error: String?
        /// RFC 3339.
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

    /// As it is said on `topic`.
    package func announcement(topic: String) -> Announcement {
        Announcement(
            will: message(.lost, topic: topic, at: nil), online: { message(.online, topic: topic, at: $0) },
            farewell: { message(.stopping, topic: topic, at: $0) })
    }

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
        /// Published by the broker, as the will.
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
