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

    /// A name of whoever reports, and in which time it was its own, in seconds since 1970.
    public struct Subject: Hashable, Sendable {
        public var identity: SubjectIdentity
        public var since: Int64
        public var until: Int64

        public init(identity: SubjectIdentity, since: Int64, until: Int64) {
            self.identity = identity
            self.since = since
            self.until = until
        }
    }

    /// Of the list of positives.
    public struct Entry: Hashable, Sendable {
        public var scheme: String
        public var value: String

        public init(scheme: String, value: String) {
            self.scheme = scheme
            self.value = value
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
        entries: [Entry] = []
    ) {
        self.reference = reference
        self.received = received
        self.positive = positive
        self.symptoms = symptoms
        self.subjects = subjects
        self.entries = entries
    }
}
