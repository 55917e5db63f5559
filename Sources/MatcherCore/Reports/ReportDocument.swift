package import Matching
import OperatorText
package import People
import RecordContract

/// A positive report, for health officers.
package struct ReportDocument: Encodable, Sendable {
    package var report: String
    package var received: String
    package var type: String
    package var testDate: String?
    package var onset: String?
    /// Names of the reporter, each once.
    package var subjects: [ExposureDocument.Subject]
    package var symptoms: ReportRequest.Symptoms?
    /// Part of the report that counts only when an officer confirms it; omitted if there is none.
    package var waiting: Waiting?

    package struct Waiting: Encodable, Sendable {
        package var names: Int
        /// Number of entries in the list of positives.
        package var entries: Int

        package init(_ waiting: FiledReport.Waiting) { (names, entries) = (waiting.names, waiting.entries) }
    }

    /// Creates the document of a report.
    ///
    /// - Parameter people: people of the register to whom its subjects belong.
    package init(_ stored: FiledReport, people: [SubjectIdentity: Person] = [:]) {
        report = stored.reference
        received = InstantText.utc(stored.received)
        type = stored.positive.reportType.rawValue
        testDate = stored.positive.test.map(DayText.text)
        onset = stored.positive.onset.map(DayText.text)
        subjects = Set(stored.subjects.map(\.identity)).sorted().map {
            ExposureDocument.Subject($0, person: people[$0])
        }
        waiting = stored.waiting.isEmpty ? nil : Waiting(stored.waiting)
        symptoms = stored.symptoms.flatMap {
            try? JSON.decode(ReportRequest.Symptoms.self, from: Array($0.utf8))
        }
    }
}
