/// An interval in which this gateway and a subject were near each other, as far as it is known.
public struct Interaction: Equatable, Sendable {
    /// Counts the interactions of one gateway since its start, from 1.
    public var number: UInt64
    /// The run of the gateway that counted it; `nil` for the present one.
    public var run: UInt64?
    /// The interaction that this one continues: a long one is closed and continued, so that intervals are bounded.
    public var continues: UInt64?
    /// The run that counted that one.
    public var continuesRun: UInt64?
    public var subject: Subject
    /// When the subject came: before `startedAt` when this continues another.
    public var firstSeenAt: Timestamp
    public var startedAt: Timestamp
    public var lastSeenAt: Timestamp
    /// Both set once the interaction is over.
    public var ending: Ending?
    /// Advertisements received from the subject.
    public var samples: UInt64
    /// Over the whole interaction; `nil` while no report carried a plausible RSSI.
    public var rssi: RSSISummary?
    /// Where the subject is now, or, once the interaction is over, where it was over the whole of it.
    public var distance: DistanceEstimate?
    public var proximity: ProximityClass
    public var expectedMinutesWithin: Within
    public var reception: Reception

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

    /// How regularly the subject is heard.
    public struct Reception: Equatable, Sendable {
        /// Mean time between its advertising events, in seconds; `nil` while that isn't known.
        public var interval: Double?
        /// The share of them that is heard, 0 to 1; `nil` while that isn't known.
        public var heardShare: Double?
        /// The silence that is improbable for a subject that is still here.
        public var silence: Duration

        public init(interval: Double?, heardShare: Double?, silence: Duration) {
            self.interval = interval
            self.heardShare = heardShare
            self.silence = silence
        }
    }

    /// Whether the subject has gone, as far as is known: a gateway that stops says nothing of that.
    public var isOver: Bool { ending.map { $0.reason == .departed || $0.reason == .lost } ?? false }

    public struct Ending: Equatable, Sendable {
        public var at: Timestamp
        public var reason: EndReason

        public init(at: Timestamp, reason: EndReason) {
            self.at = at
            self.reason = reason
        }
    }

    public enum EndReason: String, Sendable {
        /// Silent for longer than a subject that is still there would be.
        case departed
        /// The gateway was deaf.
        case lost
        /// The gateway was stopped.
        case shutdown
        /// Closed for its length; another interaction names this one in `continues`.
        case continued
    }

    /// dBm.
    public struct RSSISummary: Equatable, Sendable {
        public var median: Int
        public var minimum: Int
        public var maximum: Int

        public init(median: Int, minimum: Int, maximum: Int) {
            self.median = median
            self.minimum = minimum
            self.maximum = maximum
        }
    }
}

/// A value for each of the two radii of the contact-tracing rules, 3 m and 6 m.
public struct Within: Equatable, Codable, Sendable {
    public var threeMetres: Double
    public var sixMetres: Double

    public init(threeMetres: Double, sixMetres: Double) {
        self.threeMetres = threeMetres
        self.sixMetres = sixMetres
    }
}

/// A distance with what is known of its error.
public struct DistanceEstimate: Equatable, Codable, Sendable {
    /// Median of the posterior, in metres.
    public var metres: Double
    /// The distance is between `lower` and `upper`, in metres, with a probability of 90 %.
    public var lower: Double
    public var upper: Double
    /// The probabilities, 0 to 1, that the distance is at most 3 m and at most 6 m.
    public var probabilityWithin: Within

    public init(metres: Double, lower: Double, upper: Double, probabilityWithin: Within) {
        self.metres = metres
        self.lower = lower
        self.upper = upper
        self.probabilityWithin = probabilityWithin
    }
}

/// What becomes a record: an interaction that began, goes on, or ended.
public struct InteractionEvent: Equatable, Sendable {
    public var kind: Kind
    /// When it was decided, in the time of the data.
    public var time: Timestamp
    public var interaction: Interaction

    public init(kind: Kind, time: Timestamp, interaction: Interaction) {
        self.kind = kind
        self.time = time
        self.interaction = interaction
    }

    public enum Kind: String, Sendable {
        case started, updated, ended
    }
}
