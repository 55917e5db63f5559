import Matching
import OperatorText
import RecordContract

/// A positive report, for health officers.
struct ReportDocument: Encodable, Sendable {
    var report: String
    var received: String
    var type: String
    var testDate: String?
    var onset: String?
    /// Names of the reporter, each once.
    var subjects: [ExposureDocument.Subject]
    var symptoms: ReportRequest.Symptoms?
    /// Part of the report that counts only when an officer confirms it; omitted if there is none.
    var waiting: Waiting?

    struct Waiting: Encodable, Sendable {
        var names: Int
        /// Number of entries in the list of positives.
        var entries: Int

        init(_ waiting: FiledReport.Waiting) { (names, entries) = (waiting.names, waiting.entries) }
    }

    init(_ stored: FiledReport) {
        report = stored.reference
        received = InstantText.utc(stored.received)
        type = stored.positive.reportType.rawValue
        testDate = stored.positive.test.map(DayText.text)
        onset = stored.positive.onset.map(DayText.text)
        subjects = Set(stored.subjects.map(\.identity)).sorted().map(ExposureDocument.Subject.init)
        waiting = stored.waiting.isEmpty ? nil : Waiting(stored.waiting)
        symptoms = stored.symptoms.flatMap {
            try? JSON.decode(ReportRequest.Symptoms.self, from: Array($0.utf8))
        }
    }
}
