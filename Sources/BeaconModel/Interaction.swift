/// An interval in which this gateway and a subject were near each other, according to the available data.
public struct Interaction: Equatable, Sendable {
    /// Number of the interaction within a run of the gateway, from 1.
    public var number: UInt64
    /// Run of the gateway that numbered this interaction; `nil` for the current run.
    public var run: UInt64?
    /// Number of the interaction that this one continues. A long interaction is closed and continued, so that intervals
    /// are bounded.
    public var continues: UInt64?
    /// Run that numbered the continued interaction.
    public var continuesRun: UInt64?
    /// The beacon or phone.
    public var subject: Subject
    /// Time at which the subject was first seen. Earlier than `startedAt` when this interaction continues another.
    public var firstSeenAt: Timestamp
    /// Start of the interaction.
    public var startedAt: Timestamp
    /// Time of the latest advertisement.
    public var lastSeenAt: Timestamp
    /// Time and reason of the end; set once the interaction has ended.
    public var ending: Ending?
    /// Number of advertisements received from the subject.
    public var samples: UInt64
    /// Signal strength over the whole interaction; `nil` while no report has a plausible RSSI.
    public var rssi: RSSISummary?
    /// Current distance of the subject or, once the interaction has ended, its distance over the whole interaction.
    public var distance: DistanceEstimate?
    /// Class of the present distance.
    public var proximity: ProximityClass
    /// Probabilities of being within 3 m and 6 m, summed over time, in minutes.
    public var expectedMinutesWithin: Within
    /// How regularly the subject is received.
    public var reception: Reception

    /// Creates an interaction from its parts.
    public init(
        number: UInt64, run: UInt64? = nil, continues: UInt64?, continuesRun: UInt64? = nil, subject: Subject,
        firstSeenAt: Timestamp? = nil, startedAt: Timestamp, lastSeenAt: Timestamp, ending: Ending?, samples: UInt64,
        rssi: RSSISummary?, distance: DistanceEstimate?, proximity: ProximityClass, expectedMinutesWithin: Within,
        reception: Reception
    ) {
        self.number = number
        self.run = run
        self.continues = continues
        self.continuesRun = continuesRun
        self.subject = subject
        self.firstSeenAt = firstSeenAt ?? startedAt
        self.startedAt = startedAt
        self.lastSeenAt = lastSeenAt
        self.ending = ending
        self.samples = samples
        self.rssi = rssi
        self.distance = distance
        self.proximity = proximity
        self.expectedMinutesWithin = expectedMinutesWithin
        self.reception = reception
    }

    /// Regularity with which the subject is received.
    public struct Reception: Equatable, Sendable {
        /// Mean time between the subject's advertising events in seconds; `nil` while unknown.
        public var interval: Double?
        /// Share of the advertising events that is received, 0 to 1; `nil` while unknown.
        public var heardShare: Double?
        /// Length of a silence that is improbable for a subject that is still present.
        public var silence: Duration

        /// Creates a value from its parts.
        public init(interval: Double?, heardShare: Double?, silence: Duration) {
            self.interval = interval
            self.heardShare = heardShare
            self.silence = silence
        }
    }

    /// Whether the subject has departed, as far as is known. A gateway shutdown does not count.
    public var isOver: Bool { ending.map { $0.reason == .departed || $0.reason == .lost } ?? false }

    /// The end of an interaction.
    public struct Ending: Equatable, Sendable {
        /// Time of the end.
        public var at: Timestamp
        /// Reason of the end.
        public var reason: EndReason

        /// Creates an end from its parts.
        public init(at: Timestamp, reason: EndReason) {
            self.at = at
            self.reason = reason
        }
    }

    /// The reasons for which interactions end.
    public enum EndReason: String, Sendable {
        /// The subject has been silent for longer than is probable for a subject that is present.
        case departed
        /// The gateway was deaf.
        case lost
        /// The gateway was stopped.
        case shutdown
        /// The interaction reached its maximum length. Another interaction names this one in `continues`.
        case continued
    }

    /// Summary of signal strengths in dBm.
    public struct RSSISummary: Equatable, Sendable {
        /// Median in dBm.
        public var median: Int
        /// Minimum in dBm.
        public var minimum: Int
        /// Maximum in dBm.
        public var maximum: Int

        /// Creates a summary from its parts.
        public init(median: Int, minimum: Int, maximum: Int) {
            self.median = median
            self.minimum = minimum
            self.maximum = maximum
        }
    }
}

/// A value for each of the two radii of the contact-tracing rules, 3 m and 6 m.
public struct Within: Equatable, Codable, Sendable {
    /// Value for 3 m.
    public var threeMetres: Double
    /// Value for 6 m.
    public var sixMetres: Double

    /// Creates a value from its parts.
    public init(threeMetres: Double, sixMetres: Double) {
        self.threeMetres = threeMetres
        self.sixMetres = sixMetres
    }
}

/// An estimated distance with its uncertainty.
public struct DistanceEstimate: Equatable, Codable, Sendable {
    /// Median of the posterior, in metres.
    public var metres: Double
    /// Bounds of the 90 % interval: the distance is between `lower` and `upper`, in metres, with a probability of 90 %.
    public var lower: Double
    /// Upper bound of the 90 % interval, in metres.
    public var upper: Double
    /// Probabilities, 0 to 1, that the distance is at most 3 m and at most 6 m.
    public var probabilityWithin: Within

    /// Creates an estimate from its parts.
    public init(metres: Double, lower: Double, upper: Double, probabilityWithin: Within) {
        self.metres = metres
        self.lower = lower
        self.upper = upper
        self.probabilityWithin = probabilityWithin
    }
}

/// An event that is published as a record: an interaction started, was updated or ended.
public struct InteractionEvent: Equatable, Sendable {
    /// What happened to the interaction.
    public var kind: Kind
    /// Time of the decision, in the time of the data.
    public var time: Timestamp
    /// The interaction after the event.
    public var interaction: Interaction

    /// Creates an event from its parts.
    public init(kind: Kind, time: Timestamp, interaction: Interaction) {
        self.kind = kind
        self.time = time
        self.interaction = interaction
    }

    /// The kinds of event.
    public enum Kind: String, Sendable {
        /// Start, progress and end of an interaction.
        case started, updated, ended
    }
}
