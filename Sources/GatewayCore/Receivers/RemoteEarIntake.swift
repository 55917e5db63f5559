package import BeaconModel
package import RecordContract

/// Admission for the topics of one remote receiver: limits the messages a second and parses those it admits.
package struct RemoteEarIntake: Sendable {
    private let topic: RemoteEarTopic
    private let kind: RemoteEarKind
    private var bucket: TokenBucket
    /// Messages dropped since the last admitted one.
    private var dropped: UInt64 = 0

    /// Limits in messages a second; bursts can be twice as many. A node with a hundred moving beacons publishes about
    /// 100 messages a second. Status and telemetry have a few messages a minute each.
    package static let mostDevices = 100
    package static let mostOthers = 2

    package init(_ topic: RemoteEarTopic, of kind: RemoteEarKind) {
        self.topic = topic
        self.kind = kind
        let most = topic == .devices ? Self.mostDevices : Self.mostOthers
        bucket = TokenBucket(perSecond: most, burst: 2 * most)
    }

    /// - Parameter now: time on a monotonic clock.
    /// - Returns: the parsed message; `nil` if the message exceeds the limit.
    package mutating func take(_ message: MQTTMessage, ear: Int, at time: Timestamp, now: Duration) -> RemoteEarPacket?
    {
        guard bucket.take(at: now) == nil else {
            dropped += 1
            return nil
        }
        defer { dropped = 0 }
        return RemoteEarPacket(
            ear: ear, time: time, contents: RemoteEarParser.parse(message, on: topic, of: kind), dropped: dropped)
    }
}

/// A parsed message of a remote receiver.
package struct RemoteEarPacket: Sendable {
    /// Index of the receiver in the order of the configuration, from 0.
    package var ear: Int
    /// Time of reception: nodes do not say when they heard the device.
    package var time: Timestamp
    package var contents: Result<RemoteEarMessage, RemoteEarMessage.Refusal>
    /// Messages dropped since the previous one because there were too many.
    package var dropped: UInt64
}
