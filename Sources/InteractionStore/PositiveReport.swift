package import Matching

/// A report that a person is positive, as stored.
package struct PositiveReport: Equatable, Sendable {
    /// A random reference by which the reporter refers to the report.
    package var reference: String
    /// Time of receipt, in seconds since 1970.
    package var received: Int64
    package var positive: PositiveCase
    /// The answers to the questionnaire, in JSON.
    package var symptoms: String?
    package var subjects: [Subject]
    /// Entries of the report for the list of positives.
    package var entries: [Entry]
    /// Data derived from the report's seeds and keys.
    package var derivations: [Derivation]

    /// A name of the reporter, with the period in which it was theirs, in seconds since 1970.
    package struct Subject: Hashable, Sendable {
        package var identity: SubjectIdentity
        package var since: Int64
        package var until: Int64
        /// Whether a health officer must confirm it before anything follows.
        package var isPending: Bool

        package init(identity: SubjectIdentity, since: Int64, until: Int64, isPending: Bool = false) {
            self.identity = identity
            self.since = since
            self.until = until
            self.isPending = isPending
        }
    }

    /// An entry of the list of positives.
    package struct Entry: Hashable, Sendable {
        package var scheme: String
        package var value: String
        /// Whether a health officer must confirm it before it is published.
        package var isPending: Bool

        package init(scheme: String, value: String, isPending: Bool = false) {
            self.scheme = scheme
            self.value = value
            self.isPending = isPending
        }
    }

    /// Data derived from one seed or key. It counts only as long as none of it is in the list of positives, where
    /// anybody may have read it.
    package struct Derivation: Equatable, Sendable {
        /// The place of the seed or key in the report: `seeds[0]`.
        package var place: String
        package var subjects: [Subject]
        /// Entries that the list has, or would have, for the seed or key.
        package var entries: [Entry]
        /// Whether the entries are to be listed.
        package var isListed: Bool

        package init(place: String, subjects: [Subject], entries: [Entry], isListed: Bool) {
            self.place = place
            self.subjects = subjects
            self.entries = entries
            self.isListed = isListed
        }
    }

    /// A token that makes a report more than a claim; it is spent with the report.
    package struct Token: Equatable, Sendable {
        /// A hash that stands for the token.
        package var hash: String
        /// Time until which the token must be remembered, in seconds since 1970.
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
