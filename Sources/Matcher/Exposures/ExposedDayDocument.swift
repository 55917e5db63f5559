import Matching
import OperatorText
import RecordContract

/// A day on which a subject was exposed, and no more of it: not how often, for how long, or how near.
struct ExposedDayDocument: Encodable, Sendable {
    var subject: ExposureDocument.Subject
    /// The day begins, and ends.
    var start: String
    var end: String
    var policy: ExposureDocument.PolicyName

    /// - Parameter day: of the site's, since 1970.
    init(day: Int64, of subject: SubjectIdentity, policy: Policy) {
        self.subject = ExposureDocument.Subject(subject)
        start = InstantText.utc(policy.days.start(of: day))
        end = InstantText.utc(policy.days.start(of: day + 1))
        self.policy = .init(name: policy.name, version: policy.version)
    }

    /// In JSON.
    var text: String { String(decoding: JSON.encode(self), as: UTF8.self) }
}
