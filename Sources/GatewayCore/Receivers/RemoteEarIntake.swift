package import BeaconModel
package import RecordContract

/// What comes from the topics of one ear, before it is thought about: a bounded number of messages a second, read.
package struct RemoteEarIntake: Sendable {
    private let topic: RemoteEarTopic
    private let kind: RemoteEarKind
    private var bucket: TokenBucket
    /// Since the last one that was let through.
    private var dropped: UInt64 = 0

    /// A second; at once twice as many. A node with a hundred beacons that all move publishes some 100 a second; of
    /// its status and telemetry each has a few in a minute.
    package static let mostDevices = 100
    package static let mostOthers = 2

    package init(_ topic: RemoteEarTopic, of kind: RemoteEarKind) {
        self.topic = topic
        self.kind = kind
        let most = topic == .devices ? Self.mostDevices : Self.mostOthers
        bucket = TokenBucket(interval: .microseconds(1_000_000 / most), burst: 2 * most)
    }

    /// - Parameter now: by a clock that nobody sets.
    /// - Returns: `nil` for a message that is one too many.
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

/// A message of an ear, read.
package struct RemoteEarPacket: Sendable {
    /// Counted in the order of the configuration, from 0.
    package var ear: Int
    /// Of reception: nodes don't say when they heard.
    package var time: Timestamp
    package var contents: Result<RemoteEarMessage, RemoteEarMessage.Refusal>
    /// Messages that were too many since the one before.
    package var dropped: UInt64
}
