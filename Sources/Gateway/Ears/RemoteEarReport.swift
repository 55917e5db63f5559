import BeaconModel

/// How an ear is, in the health message.
struct RemoteEarReport: Encodable, Equatable, Sendable {
    var name: String
    /// `espresense`, `openmqttgateway` or `theengs`.
    var kind: String
    /// `waiting`, `hearing`, `offline`, `silent` or `disconnected`.
    var state: String
    /// That came from it since the start.
    var messages: UInt64
    /// Messages about beacons that are followed.
    var readings: UInt64
    /// Messages about others.
    var strangers: UInt64
    /// Messages that weren't understood or were too many, by reason.
    var refused: [String: UInt64]
    /// Beacons that are there now.
    var present: Int
    var lastMessageAgeSeconds: Double?

    init(_ ear: RemoteEar, at time: Timestamp) {
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
