import InteractionStore
import Matching
import OperatorText
import RecordContract

/// A positive report as it is told to a health officer.
struct ReportDocument: Encodable, Sendable {
    var report: String
    var received: String
    var type: String
    var testDate: String?
    var onset: String?
    /// Whoever reported, by all names, each once.
    var subjects: [ExposureDocument.Subject]
    var symptoms: ReportRequest.Symptoms?
    /// What of it counts only when an officer confirms it; left out when nothing does.
    var waiting: Waiting?

    struct Waiting: Encodable, Sendable {
        var names: Int
        /// Of the list of positives.
        var entries: Int

        init(_ waiting: InteractionStore.Waiting) { (names, entries) = (waiting.names, waiting.entries) }
    }

    init(_ stored: InteractionStore.StoredReport) {
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
