import BeaconModel
package import Matching
import OperatorText

/// Acknowledgement that a notice was read, whole or in part.
///
/// A later notice that says more has not been read. Omitted members are not compared.
package struct ReadNotice: Sendable {
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

        // A member that is present must not be null.
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

    /// Reads an acknowledgement.
    ///
    /// - Parameter body: body of the request; an empty one acknowledges everything.
    /// - Throws: `APIError` that names the place of a wrong value.
    package init(_ body: [UInt8]) throws(APIError) {
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
                throw .invalid(
                    "latest", "found \(text.excerpt)", "must be the value in the notice: 2026-11-02T00:00:00Z")
            }
            latest = time
        }
    }

    /// Returns whether a notice says nothing that was not read.
    ///
    /// - Parameter content: content of the notice; `nil` if there is nothing left to report.
    package func covers(_ content: NoticeContent?) -> Bool {
        guard let content else { return true }
        if let exposures, content.days > exposures { return false }
        if let level, content.level > level { return false }
        if let latest, let time = content.latest, time > latest.microseconds / 1_000_000 { return false }
        return true
    }
}
