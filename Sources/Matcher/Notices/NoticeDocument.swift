import Matching
import OperatorText
import RecordContract

/// Content of a notice in JSON, as subjects and the webhook receive it.
struct NoticeDocument: Encodable, Sendable {
    var level: String
    var label: String
    /// Number of days with exposures.
    var exposures: Int
    /// Beginning of the latest of these days.
    var latest: String?
    var policy: ExposureDocument.PolicyName
    /// Reasons to doubt the exposures.
    var missing: [String]

    init(_ content: NoticeContent) {
        level = content.level.rawValue
        label = content.label
        exposures = content.days
        latest = content.latest.map(InstantText.utc)
        policy = .init(name: content.policy, version: content.policyVersion)
        missing = content.clockIsDoubtful ? [ClockDoubt.text] : []
    }

    var bytes: [UInt8] { JSON.encode(self) }
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
