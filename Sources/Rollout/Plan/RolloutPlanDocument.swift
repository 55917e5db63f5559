import RecordContract

/// A plan for programs.
package struct RolloutPlanDocument: Encodable, Sendable {
    private struct Row: Encodable {
        var gateway: String
        var heard: Bool
        var online: Bool
        var state: String?
        var revision: String?
        var digest: String?
        var changes: Bool
        var added: Int?
        var removed: Int?
        var uncheckedFiles: [String]
    }

    private let revision: String?
    private let gateways: [Row]
    private let strangers: [String]

    /// - Parameter revision: the commit; `nil` for files that are not committed.
    package init(_ plan: RolloutPlan, revision: String?) {
        self.revision = revision
        gateways = plan.rows.map { row in
            var result = Row(
                gateway: row.gateway.description, heard: row.use != .neverHeard, online: false,
                changes: row.change != .none, uncheckedFiles: row.uncheckedFiles)
            if case .known(let state, let isOnline) = row.use {
                result.online = isOnline
                result.state = state.state.rawValue
                result.revision = state.revision?.description
                result.digest = state.digest.description
            }
            if case .lines(let added, let removed, _) = row.change { (result.added, result.removed) = (added, removed) }
            return result
        }
        strangers = plan.strangers.map(\.description)
    }

    package var encoded: [UInt8] { JSON.encode(self) }
}
