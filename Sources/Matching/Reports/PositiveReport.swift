/// A report that a person is positive.
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
