package import RecordContract
import SystemIO

/// The queue of signals from the radio to the connection to the broker. The radio never waits for it: when it is full,
/// the oldest messages are dropped.
package struct SignalsQueue: Sendable {
    /// Maximum number of waiting messages: one second of a gateway with the most remote receivers, or of a flood.
    package static let mostMessages = 256

    let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let drops = LockedValue<UInt64>(0)

    /// A message, and when it was made.
    struct Entry: Sendable {
        var message: SignalsMessage
        var madeAt: ContinuousClock.Instant
    }

    package init() {
        (entries, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostMessages))
    }

    /// Number of messages that were not sent since the start.
    package var dropped: UInt64 { drops.withLock { $0 } }

    package func add(_ messages: [SignalsMessage], at now: ContinuousClock.Instant = .now) {
        for message in messages {
            if case .dropped = continuation.yield(Entry(message: message, madeAt: now)) { countDropped() }
        }
    }

    func countDropped() { drops.withLock { $0 += 1 } }

    /// Ends the queue: no more messages follow.
    package func finish() { continuation.finish() }
}
