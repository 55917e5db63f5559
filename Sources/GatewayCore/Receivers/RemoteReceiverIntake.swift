package import BeaconModel
package import RecordContract

/// Admission for the topics of one remote receiver: limits the messages a second and parses those it admits.
package struct RemoteReceiverIntake: Sendable {
    private let topic: RemoteReceiverTopic
    private let kind: RemoteReceiverKind
    private var bucket: TokenBucket
    /// Messages dropped since the last admitted one.
    private var dropped: UInt64 = 0

    /// Limits in messages a second; bursts can be twice as many. A node with a hundred moving beacons publishes about
    /// 100 messages a second. Status and telemetry have a few messages a minute each.
    package static let mostDevices = 100
    package static let mostOthers = 2

    package init(_ topic: RemoteReceiverTopic, of kind: RemoteReceiverKind) {
        self.topic = topic
        self.kind = kind
        let most = topic == .devices ? Self.mostDevices : Self.mostOthers
        bucket = TokenBucket(perSecond: most, burst: 2 * most)
    }

    /// - Parameter now: time on a monotonic clock.
    /// - Returns: the parsed message; `nil` if the message exceeds the limit.
    package mutating func take(_ message: MQTTMessage, receiver: Int, at time: Timestamp, now: Duration)
        -> RemoteReceiverPacket?
    {
        guard bucket.take(at: now) == nil else {
            dropped += 1
            return nil
        }
        defer { dropped = 0 }
        return RemoteReceiverPacket(
            receiver: receiver, time: time, contents: RemoteReceiverParser.parse(message, on: topic, of: kind),
            dropped: dropped)
    }
}

/// A parsed message of a remote receiver.
package struct RemoteReceiverPacket: Sendable {
    /// Index of the receiver in the order of the configuration, from 0.
    package var receiver: Int
    /// Time of reception: nodes do not say when they heard the device.
    package var time: Timestamp
    package var contents: Result<RemoteReceiverMessage, RemoteReceiverMessage.Refusal>
    /// Messages dropped since the previous one because there were too many.
    package var dropped: UInt64
}
