import InteractionStore
import MatcherCore
import Matching
import Pages

extension PageService {
    private static let mostReports = 50
    private static let mostDecisions = 50

    /// Lists reports: those that wait, or all.
    func reports(_ request: PageRequest) async throws -> PageAnswer {
        let isAll = request.query["state"] == "all"
        let before = request.query["before"].flatMap { Int64($0) }
        try await note(.sawReport, isAll ? "list of all reports" : "list of waiting reports", request)
        let (service, text) = (self, officerText)
        let frame = request.frame("Reports", route: .reports)
        return page(
            try await api.work { store in
                let found = try store.reportList(waiting: !isAll, before: before, limit: Self.mostReports + 1)
                let listed = Array(found.prefix(Self.mostReports))
                let waiting = try store.waitingReportCount()
                let decisions = isAll && before == nil ? try store.deletingDecisions(limit: Self.mostDecisions) : []
                let sentIn: (rows: [ReportsPage.SentIn], more: String?) =
                    before == nil ? try service.sentIn(in: store) : ([], nil)
                let path = PageRoute.reports.path + "?state=" + (isAll ? "all" : "waiting")
                return ReportsPage(
                    frame,
                    filters: [
                        .init("Waiting", path: PageRoute.reports.path + "?state=waiting", isChosen: !isAll),
                        .init("All", path: PageRoute.reports.path + "?state=all", isChosen: isAll),
                    ],
                    summary: "\(OfficerText.count(waiting, "report waits", "reports wait")) for a decision.",
                    reports: try ReportRows(text: text).rows(listed, in: store),
                    older: found.count > listed.count ? listed.last.map { path + "&before=\($0.report.number)" } : nil,
                    gone: decisions.map { reference, decision in
                        .init(
                            reference: reference, state: OfficerText.state(of: decision), by: decision.name,
                            when: text.time(decision.at), reason: decision.reason)
                    }, sentIn: sentIn.rows, moreSentIn: sentIn.more)
            })
    }
}
