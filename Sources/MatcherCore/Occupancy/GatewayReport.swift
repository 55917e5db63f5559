import OperatorText

/// Statements of a gateway about itself in its latest health message, for people.
package struct GatewayReport: Equatable, Sendable {
    /// Time at which the message arrived, in seconds since 1970.
    package var at: Int64
    /// Whether it has adapters of its own.
    package var hasRadio: Bool
    /// Its remote receivers and listening modules, in the order of their names.
    package var receivers: [Receiver]
    package var outbox: Outbox?

    /// A remote receiver or listening module.
    package struct Receiver: Equatable, Sendable {
        package var name: String
        package var hears: Bool

        package init(name: String, hears: Bool) {
            self.name = name
            self.hears = hears
        }
    }

    /// Records that wait for the broker.
    package struct Outbox: Equatable, Sendable {
        package var records: Int64
        package var bytes: Int64
        package var capacity: Int64?
        /// Age of the oldest record in seconds; `nil` if there is none.
        package var age: Int64?
        /// Problem of the outbox, as a sentence.
        package var trouble: String?

        package init(records: Int64, bytes: Int64, capacity: Int64? = nil, age: Int64? = nil, trouble: String? = nil) {
            self.records = records
            self.bytes = bytes
            self.capacity = capacity
            self.age = age
            self.trouble = trouble
        }
    }

    /// Maximum number of receivers that are kept: without signatures any client can invent some.
    private static let mostReceivers = 64
    private static let longestName = 64
    private static let longestTrouble = 200

    package init(at: Int64, hasRadio: Bool = true, receivers: [Receiver] = [], outbox: Outbox? = nil) {
        self.at = at
        self.hasRadio = hasRadio
        self.receivers = receivers
        self.outbox = outbox
    }

    package init(_ health: GatewayHealth, at time: Int64) {
        let others = ((health.ears ?? []) + (health.listeners ?? [])).prefix(Self.mostReceivers)
        self.init(
            at: time, hasRadio: health.radio != nil && health.radio != "off",
            receivers: others.map { Receiver(name: $0.name.shown(upTo: Self.longestName), hears: $0.hears) }
                .sorted { $0.name < $1.name })
        guard let outbox = health.outbox, let records = outbox.records, let bytes = outbox.bytes else { return }
        self.outbox = Outbox(
            records: max(0, records), bytes: max(0, bytes), capacity: outbox.capacityBytes,
            age: outbox.oldestAgeSeconds.map { Int64(min(max($0, 0), 1e9)) },
            trouble: outbox.trouble?.shown(upTo: Self.longestTrouble))
    }
}
