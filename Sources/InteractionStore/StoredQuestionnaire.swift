/// Answers of a person to the questionnaire on a day, and what followed from them.
package struct StoredQuestionnaire: Equatable, Sendable {
    /// Day of the site in days since 1970.
    package var day: Int64
    package var answers: String
    /// Name of the level.
    package var result: String
    /// Time of the answers in seconds since 1970.
    package var at: Int64

    package init(day: Int64, answers: String, result: String, at: Int64) {
        self.day = day
        self.answers = answers
        self.result = result
        self.at = at
    }
}
