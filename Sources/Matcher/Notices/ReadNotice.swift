import BeaconModel
import Matching
import OperatorText
import RecordContract

/// What somebody says that they have read: a notice as it came, or a part of it.
///
/// A notice that says more came after it, and nobody has read that one. What is left out isn't compared.
struct ReadNotice: Sendable {
    private var level: RiskLevel?
    private var exposures: Int?
    private var latest: Timestamp?

    private struct Document: Decodable {
        var level: String?
        var exposures: Int?
        var latest: String?

        private enum CodingKeys: CodingKey {
            case level, exposures, latest
        }

        // What is there isn't null.
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            func member<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
                members.contains(key) ? try members.decode(Value.self, forKey: key) : nil
            }
            level = try member(.level)
            exposures = try member(.exposures)
            latest = try member(.latest)
        }
    }

    /// - Parameter body: of the request; nothing says that all was read.
    /// - Throws: `APIError` that says where something else is than may be.
    init(_ body: [UInt8]) throws(APIError) {
        if body.isEmpty { return }
        let document = try JSONBody.decode(Document.self, from: body)
        exposures = document.exposures
        if let text = document.level {
            guard let level = RiskLevel(rawValue: text) else {
                let levels = RiskLevel.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("level", "found \(text.excerpt)", "must be one of \(levels)")
            }
            self.level = level
        }
        if let text = document.latest {
            guard let time = RFC3339Text.parse(text) else {
                throw .invalid("latest", "found \(text.excerpt)", "must be the notice's: 2026-11-02T00:00:00Z")
            }
            latest = time
        }
    }

    /// Whether a notice says nothing that wasn't read.
    ///
    /// - Parameter content: of the notice, in JSON; nothing when there is nothing to tell any more.
    func covers(_ content: String) -> Bool {
        guard let notice = try? JSON.decode(NoticeContent.self, from: Array(content.utf8)) else { return true }
        if let exposures, notice.exposures > exposures { return false }
        if let level, RiskLevel(rawValue: notice.level) ?? .low > level { return false }
        if let latest, let time = notice.latest.flatMap({ RFC3339Text.parse($0) }), time > latest { return false }
        return true
    }
}
