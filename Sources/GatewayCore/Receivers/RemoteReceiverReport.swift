package import BeaconModel

/// State of a remote receiver, for the health message.
package struct RemoteReceiverReport: Encodable, Equatable, Sendable {
    package var name: String
    /// `espresense`, `openmqttgateway` or `theengs`.
    package var kind: String
    /// `waiting`, `hearing`, `offline`, `silent` or `disconnected`.
    package var state: String
    /// Messages from the receiver since the start.
    package var messages: UInt64
    /// Messages about tracked beacons.
    package var readings: UInt64
    /// Messages about other devices.
    package var strangers: UInt64
    /// Messages that were not understood or exceeded the limit, by reason.
    package var refused: [String: UInt64]
    /// Number of beacons present now.
    package var present: Int
    var lastMessageAgeSeconds: Double?

    /// Whether it receives now, or takes turns with advertising.
    package var isHearing: Bool { RemoteReceiver.State(rawValue: state).map { !$0.isDeaf } ?? false }

    package init(_ receiver: RemoteReceiver, at time: Timestamp) {
        name = receiver.configuration.name
        kind = receiver.configuration.kind.rawValue
        state = receiver.state.rawValue
        messages = receiver.counts.messages
        readings = receiver.counts.readings
        strangers = receiver.counts.strangers
        refused = receiver.counts.refused
        present = receiver.presentCount
        lastMessageAgeSeconds = receiver.counts.lastMessageAt.map {
            (max(0, (time - $0).inSeconds) * 10).rounded() / 10
        }
    }
}
