/// The readings of one receiver for all tracked subjects in one interval.
public struct Readings: Equatable, Sendable {
    /// Start of the interval: a whole number of intervals since 1970 in UTC.
    public var startedAt: Timestamp
    /// Length of the interval, 30 s to 2 min.
    public var interval: Duration
    /// Time at which the interval was known to be over, in the time of the data.
    public var decidedAt: Timestamp
    /// Time during which at least one adapter was receiving, from zero to `interval`.
    ///
    /// It distinguishes an interval in which no subject was present from one in which the receiver was deaf.
    public var listened: Duration
    /// Adapters present during the interval, by index.
    public var adapters: [Listening]
    /// Received subjects, sorted and without duplicates.
    public var subjects: [Heard]

    /// Creates readings from their parts.
    public init(
        startedAt: Timestamp, interval: Duration, decidedAt: Timestamp, listened: Duration, adapters: [Listening],
        subjects: [Heard]
    ) {
        self.startedAt = startedAt
        self.interval = interval
        self.decidedAt = decidedAt
        self.listened = listened
        self.adapters = adapters
        self.subjects = subjects
    }

    /// End of the interval.
    public var endedAt: Timestamp { startedAt + interval }

    /// The time during which one adapter was receiving.
    public struct Listening: Equatable, Sendable {
        /// The adapter.
        public var adapter: Adapter
        /// Receiving time, from zero to the interval.
        public var listened: Duration

        /// Creates a value from its parts.
        public init(adapter: Adapter, listened: Duration) {
            self.adapter = adapter
            self.listened = listened
        }
    }

    /// The advertisements received from one subject.
    public struct Heard: Equatable, Sendable {
        /// The beacon or phone.
        public var subject: Subject
        /// Number of advertisements, with or without a plausible RSSI; at least 1.
        public var count: UInt32
        /// Mean of the plausible RSSI values as received, in dBm; `nil` when there was none.
        public var rssi: Double?

        /// Creates a value from its parts.
        public init(subject: Subject, count: UInt32, rssi: Double?) {
            self.subject = subject
            self.count = count
            self.rssi = rssi
        }
    }
}
