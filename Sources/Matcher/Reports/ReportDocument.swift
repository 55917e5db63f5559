import InteractionStore
import MQTTBridge
import Matching
import OperatorText

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

    init(_ stored: InteractionStore.StoredReport) {
        report = stored.reference
        received = InstantText.utc(stored.received)
        type = stored.positive.reportType.rawValue
        testDate = stored.positive.test.map(DayText.text)
        onset = stored.positive.onset.map(DayText.text)
        subjects = Set(stored.subjects.map(\.identity)).sorted().map(ExposureDocument.Subject.init)
        symptoms = stored.symptoms.flatMap {
            try? JSON.decode(ReportRequest.Symptoms.self, from: Array($0.utf8))
        }
    }
}
