package import Matching
import OperatorText
import RecordContract

/// Content of a notice in JSON, as subjects and the webhook receive it.
package struct NoticeDocument: Encodable, Sendable {
    package var level: String
    package var label: String
    /// Number of days with exposures.
    package var exposures: Int
    /// Beginning of the latest of these days.
    package var latest: String?
    package var policy: ExposureDocument.PolicyName
    /// Reasons to doubt the exposures.
    package var missing: [String]

    package init(_ content: NoticeContent) {
        level = content.level.rawValue
        label = content.label
        exposures = content.days
        latest = content.latest.map(InstantText.utc)
        policy = .init(name: content.policy, version: content.policyVersion)
        missing = content.clockIsDoubtful ? [ClockDoubt.text] : []
    }

    package var bytes: [UInt8] { JSON.encode(self) }
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
