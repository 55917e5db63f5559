import MQTTBridge
import RecordContract

/// Signs and sends signals. A message that cannot be sent at once is dropped.
struct SignalsWriter {
    var publisher: MQTTPublisher
    /// The key that signs messages; `nil`: they are not signed.
    var key: SigningKey?

    /// Maximum age of a message that is sent.
    private static let longestWait: Duration = .seconds(2)

    /// Sends messages until the queue ends.
    func run(_ queue: SignalsQueue) async {
        for await entry in queue.entries {
            guard ContinuousClock.now - entry.madeAt < Self.longestWait,
                await publisher.publishLive(entry.message.message(signedWith: key))
            else {
                queue.countDropped()
                continue
            }
        }
    }
}
