public import Matching

/// That somebody is positive, as it is stored.
public struct PositiveReport: Equatable, Sendable {
    /// Random: by it the reporter refers to the report.
    public var reference: String
    /// Seconds since 1970.
    public var received: Int64
    public var positive: PositiveCase
    /// The answers to the questionnaire, in JSON.
    public var symptoms: String?
    public var subjects: [Subject]
    /// What the list of positives is to have of it.
    public var entries: [Entry]
    /// What follows from the seeds and keys that it brings.
    public var derivations: [Derivation]

    /// A name of whoever reports, and in which time it was its own, in seconds since 1970.
    public struct Subject: Hashable, Sendable {
        public var identity: SubjectIdentity
        public var since: Int64
        public var until: Int64
        /// Whether a health officer has to confirm it before anything follows.
        public var isPending: Bool

        public init(identity: SubjectIdentity, since: Int64, until: Int64, isPending: Bool = false) {
            self.identity = identity
            self.since = since
            self.until = until
            self.isPending = isPending
        }
    }

    /// Of the list of positives.
    public struct Entry: Hashable, Sendable {
        public var scheme: String
        public var value: String
        /// Whether a health officer has to confirm it before it is published.
        public var isPending: Bool

        public init(scheme: String, value: String, isPending: Bool = false) {
            self.scheme = scheme
            self.value = value
            self.isPending = isPending
        }
    }

    /// What follows from one seed or key. It counts only as long as nothing of it is in the list of positives: anybody may
    /// have read it there.
    public struct Derivation: Equatable, Sendable {
        /// Where the report has the seed or key: `seeds[0]`.
        public var place: String
        public var subjects: [Subject]
        /// What the list has, or would have, of it.
        public var entries: [Entry]
        /// Whether the list is to have it.
        public var isListed: Bool

        public init(place: String, subjects: [Subject], entries: [Entry], isListed: Bool) {
            self.place = place
            self.subjects = subjects
            self.entries = entries
            self.isListed = isListed
        }
    }

    /// What makes a report more than a claim; it is spent with the report.
    public struct Token: Equatable, Sendable {
        /// Stands for the token.
        public var hash: String
        /// Seconds since 1970: until then it has to be remembered.
        public var expires: Int64

        public init(hash: String, expires: Int64) {
            self.hash = hash
            self.expires = expires
        }
    }

    public init(
        reference: String, received: Int64, positive: PositiveCase, symptoms: String? = nil, subjects: [Subject],
        entries: [Entry] = [], derivations: [Derivation] = []
    ) {
        self.reference = reference
        self.received = received
        self.positive = positive
        self.symptoms = symptoms
        self.subjects = subjects
        self.entries = entries
        self.derivations = derivations
    }
}
