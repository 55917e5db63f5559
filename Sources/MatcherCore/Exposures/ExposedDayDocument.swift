import Matching
import OperatorText
import RecordContract

/// A day on which a subject was exposed. It omits how often, for how long, and how near.
struct ExposedDayDocument: Encodable, Sendable {
    var subject: ExposureDocument.Subject
    /// Beginning of the day; `end` is the beginning of the next.
    var start: String
    var end: String
    var policy: ExposureDocument.PolicyName

    /// Creates the document of a day.
    ///
    /// - Parameter day: day of the site, since 1970.
    init(day: Int64, of subject: SubjectIdentity, policy: Policy) {
        self.subject = ExposureDocument.Subject(subject)
        start = InstantText.utc(policy.days.start(of: day))
        end = InstantText.utc(policy.days.start(of: day + 1))
        self.policy = .init(name: policy.name, version: policy.version)
    }

    /// The document in JSON.
    var text: String { String(decoding: JSON.encode(self), as: UTF8.self) }
}
