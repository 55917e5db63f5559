import HTTPTypes
import InteractionStore
import Matching
import OperatorText
import Pages
import SignIn

extension PageService {
    /// Maximum length of a reason, in Unicode scalars.
    private static let longestReason = 500

    /// Confirms, refuses or withdraws a report.
    func decide(_ kind: ReportDecision.Kind, _ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["report"] ?? ""
        let reason = Self.reason(request.form["reason"] ?? "")
        if kind != .confirmed, reason.isEmpty {
            return try await reportPage(
                reference, request,
                notice: Frame.Notice("Nothing was decided yet: a reason is missing.", isProblem: true),
                mistake: "Write why. The reason is kept with your name.", status: .unprocessableContent)
        }
        let account = try request.account()
        let decision = ReportDecision(
            kind, reason: kind == .confirmed ? "" : reason, name: account.name, at: request.now)
        let entry = AuditEntry(
            at: request.now, account: account, action: Self.action(kind), object: reference, detail: decision.reason)
        switch try await api.work({ try $0.decide(decision, report: reference, audit: entry) }) {
        case .unknownReport: throw try await gone(reference)
        case .already(let earlier): return try await answer(earlier, reference, request)
        case .nothingWaits:
            return try await reportPage(
                reference, request,
                notice: Frame.Notice(
                    "Nothing in this report waits for a decision. Nothing was changed.", isProblem: true),
                status: .conflict)
        case .done: break
        }
        if kind == .confirmed { try await match(reference, now: request.now) }
        api.notices.wake()
        return .redirect(
            (kind == .confirmed ? ReportRows.path(reference) : PageRoute.reports.path)
                + "?" + Self.notice(kind).query)
    }

    /// Matches a report at once and makes the notices that follow, so that the next page shows them. What fails here
    /// is tried again by the service that makes notices; until then the page says that the report is not matched.
    func match(_ reference: String, now: Int64) async throws {
        let matching = reportMatching
        try await api.work { store in
            guard let report = try store.filedReport(reference) else { return }
            do {
                try matching.match(report, in: store, now: now)
                let exposed = try store.exposedSubjects(ofReport: report.number, limit: Self.mostAnnounced)
                for stale in try store.staleNotices(among: Set(exposed)) {
                    try matching.announce(stale, in: store, now: now)
                }
            } catch is StoreError {
                return
            }
        }
    }

    /// Maximum number of badges and phones whose notices are made at once. Those of more follow within seconds.
    private static let mostAnnounced = 500

    /// Answers an officer who comes second.
    private func answer(
        _ earlier: ReportDecision, _ reference: String, _ request: PageRequest
    ) async throws -> PageAnswer {
        guard earlier.kind == .confirmed else { throw try await gone(reference, status: .conflict) }
        return try await reportPage(
            reference, request,
            notice: Frame.Notice(
                "This report was decided before. \(officerText.sentence(earlier)). Nothing was changed.",
                isProblem: true), status: .conflict)
    }

    /// Returns a reason as it is kept.
    static func reason(_ text: String) -> String { text.trimmed.shown(upTo: longestReason) }

    private static func action(_ kind: ReportDecision.Kind) -> AuditEntry.Action {
        switch kind {
        case .confirmed: .confirmedReport
        case .refused: .refusedReport
        case .withdrawn: .withdrewReport
        }
    }

    private static func notice(_ kind: ReportDecision.Kind) -> DoneNotice {
        switch kind {
        case .confirmed: .confirmed
        case .refused: .refused
        case .withdrawn: .withdrawn
        }
    }
}
