package import BeaconModel

/// How an ear is, in the health message.
package struct RemoteEarReport: Encodable, Equatable, Sendable {
    package var name: String
    /// `espresense`, `openmqttgateway` or `theengs`.
    package var kind: String
    /// `waiting`, `hearing`, `offline`, `silent` or `disconnected`.
    package var state: String
    /// That came from it since the start.
    package var messages: UInt64
    /// Messages about beacons that are followed.
    package var readings: UInt64
    /// Messages about others.
    package var strangers: UInt64
    /// Messages that weren't understood or were too many, by reason.
    package var refused: [String: UInt64]
    /// Beacons that are there now.
    package var present: Int
    var lastMessageAgeSeconds: Double?

    package init(_ ear: RemoteEar, at time: Timestamp) {
        name = ear.configuration.name
        kind = ear.configuration.kind.rawValue
        state = ear.state.rawValue
        messages = ear.counts.messages
        readings = ear.counts.readings
        strangers = ear.counts.strangers
        refused = ear.counts.refused
        present = ear.presentCount
        lastMessageAgeSeconds = ear.counts.lastMessageAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
    }
}
