/// What one receiver heard of everybody whom it follows, in one interval of the clock.
public struct Readings: Equatable, Sendable {
    /// A whole number of intervals since 1970 in UTC.
    public var startedAt: Timestamp
    /// From 30 s to 2 min.
    public var interval: Duration
    /// When it was known to be over, in the time of the data.
    public var decidedAt: Timestamp
    /// How long at least one adapter listened, from zero to `interval`.
    ///
    /// It says what hearing nobody means: that nobody was there, or that the receiver was deaf.
    public var listened: Duration
    /// The adapters that there were, in the order of their numbers.
    public var adapters: [Listening]
    /// Whoever was heard, sorted, each once.
    public var subjects: [Heard]

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

    public var endedAt: Timestamp { startedAt + interval }

    /// How long one adapter listened.
    public struct Listening: Equatable, Sendable {
        public var adapter: Adapter
        /// From zero to the interval.
        public var listened: Duration

        public init(adapter: Adapter, listened: Duration) {
            self.adapter = adapter
            self.listened = listened
        }
    }

    /// What was heard of one subject.
    public struct Heard: Equatable, Sendable {
        public var subject: Subject
        /// Advertisements, with a plausible RSSI or without; at least 1.
        public var count: UInt32
        /// Mean of the plausible RSSI as they were received, in dBm; `nil` when there was none.
        public var rssi: Double?

        public init(subject: Subject, count: UInt32, rssi: Double?) {
            self.subject = subject
            self.count = count
            self.rssi = rssi
        }
    }
}
