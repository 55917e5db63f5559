/// What an outbox keeps, for how long, and at which pace it catches up.
package struct OutboxRules: Equatable, Sendable {
    /// Of records, in bytes: their payloads and topics, and 64 for each.
    package var bytes: Int
    /// Older records are given up.
    package var age: Duration
    /// Records of an outage that are offered in a second, beside those of now.
    package var drainRate: Double
    package var confirmation: Confirmation
    /// With `consumer`: a record that was acknowledged so long ago and isn't stored, although the consumer is at work, is
    /// offered again.
    package var confirmTimeout: Duration

    /// How long `updated` records may stay in memory before they are written, so that most are delivered before and never
    /// are; `nil`: as the medium wants it.
    ///
    /// Readings are written at once: no other record says the same, and one write a minute wears nothing out.
    package var writeDelay: Duration?

    /// The delay on a medium that wears with each write.
    package static let wearingDelay: Duration = .seconds(1)

    /// Until when a record is kept.
    package enum Confirmation: String, CaseIterable, Sendable {
        /// Until the broker has acknowledged it.
        case broker
        /// Until the consumer says that it has stored it.
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
