/// A positive report that has been filed, as it is matched.
package struct FiledReport: Sendable {
    package var number: Int64
    /// The reference by which the reporter refers to it.
    package var reference: String
    /// Time of receipt, in seconds since 1970.
    package var received: Int64
    package var positive: PositiveCase
    /// The answers to the questionnaire, in JSON.
    package var symptoms: String?
    /// The reported subjects, without those that wait for a health officer's confirmation.
    package var subjects: [PositiveReport.Subject]
    /// The parts that wait for confirmation.
    package var waiting = Waiting()

    /// Creates the filed form of a report.
    ///
    /// - Parameter number: number that the report was given when it was filed.
    package init(number: Int64, _ report: PositiveReport) {
        self.number = number
        reference = report.reference
        received = report.received
        positive = report.positive
        symptoms = report.symptoms
        subjects = report.subjects.filter { !$0.isPending }
    }
}
