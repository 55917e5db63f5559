package import Matching

/// That somebody is positive, as it is stored.
package struct PositiveReport: Equatable, Sendable {
    /// Random: by it the reporter refers to the report.
    package var reference: String
    /// Seconds since 1970.
    package var received: Int64
    package var positive: PositiveCase
    /// The answers to the questionnaire, in JSON.
    package var symptoms: String?
    package var subjects: [Subject]
    /// What the list of positives is to have of it.
    package var entries: [Entry]
    /// What follows from the seeds and keys that it brings.
    package var derivations: [Derivation]

    /// A name of whoever reports, and in which time it was its own, in seconds since 1970.
    package struct Subject: Hashable, Sendable {
        package var identity: SubjectIdentity
        package var since: Int64
        package var until: Int64
        /// Whether a health officer has to confirm it before anything follows.
        package var isPending: Bool

        package init(identity: SubjectIdentity, since: Int64, until: Int64, isPending: Bool = false) {
            self.identity = identity
            self.since = since
            self.until = until
            self.isPending = isPending
        }
    }

    /// Of the list of positives.
    package struct Entry: Hashable, Sendable {
        package var scheme: String
        package var value: String
        /// Whether a health officer has to confirm it before it is published.
        package var isPending: Bool

        package init(scheme: String, value: String, isPending: Bool = false) {
            self.scheme = scheme
            self.value = value
            self.isPending = isPending
        }
    }

    /// What follows from one seed or key. It counts only as long as nothing of it is in the list of positives: anybody may
    /// have read it there.
    package struct Derivation: Equatable, Sendable {
        /// Where the report has the seed or key: `seeds[0]`.
        package var place: String
        package var subjects: [Subject]
        /// What the list has, or would have, of it.
        package var entries: [Entry]
        /// Whether the list is to have it.
        package var isListed: Bool

        package init(place: String, subjects: [Subject], entries: [Entry], isListed: Bool) {
            self.place = place
            self.subjects = subjects
            self.entries = entries
            self.isListed = isListed
        }
    }

    /// What makes a report more than a claim; it is spent with the report.
    package struct Token: Equatable, Sendable {
        /// Stands for the token.
        package var hash: String
        /// Seconds since 1970: until then it has to be remembered.
        package var expires: Int64

        package init(hash: String, expires: Int64) {
            self.hash = hash
            self.expires = expires
        }
    }

    package init(
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
