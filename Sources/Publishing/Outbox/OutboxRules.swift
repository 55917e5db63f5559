package import RecordContract

/// Limits of an outbox: what it keeps, for how long, and the pace at which it catches up.
package struct OutboxRules: Equatable, Sendable {
    /// Maximum size of the records in bytes: payload, topic and 64 per record.
    package var bytes: Int
    /// Maximum age; older records are given up.
    package var age: Duration
    /// Records of an outage that are offered per second, in addition to present ones.
    package var drainRate: Double
    package var confirmation: Confirmation
    /// Time after which, with `consumer`, an acknowledged record that is not stored is offered again, provided the
    /// consumer is running.
    package var confirmTimeout: Duration

    /// Time for which `updated` records may stay in memory before they are written. Most are delivered before, and then
    /// never written. `nil`: depends on the medium.
    ///
    /// Readings are written at once: no other record contains the same data, and one write per minute does not wear out
    /// the medium.
    package var writeDelay: Duration?

    /// Whether records of a priority stay in memory before they are written.
    package func delays(_ priority: OutboxPriority) -> Bool { priority == .updated && (writeDelay ?? .zero) > .zero }

    /// The delay on a medium that wears with each write, and the longest that can be configured.
    package static let wearingDelay: Duration = .seconds(1)

    /// Returns the delay of writes. Each write wears a memory card, so writes to a card are delayed unless something
    /// else is configured.
    package static func writeDelay(_ configured: Duration?, isOnCard: Bool) -> Duration? {
        configured ?? (isOnCard ? wearingDelay : nil)
    }

    /// The confirmation until which a record is kept.
    package enum Confirmation: String, CaseIterable, Sendable {
        /// The broker's acknowledgement.
        case broker
        /// The consumer's confirmation that it has stored the record.
        case consumer
    }

    package init(
        bytes: Int = 256_000_000, age: Duration = .seconds(72 * 3600), drainRate: Double = 500,
        confirmation: Confirmation = .broker, confirmTimeout: Duration = .seconds(60), writeDelay: Duration? = nil
    ) {
        self.bytes = bytes
        self.age = age
        self.drainRate = drainRate
        self.confirmation = confirmation
        self.confirmTimeout = confirmTimeout
        self.writeDelay = writeDelay
    }
}
