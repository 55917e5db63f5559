import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages

extension PageService {
    /// Shows the form of a new report; the address can name the person.
    func newReport(_ request: PageRequest) async throws -> PageAnswer {
        newReportPage(request, ReportForm(person: request.query["person"] ?? ""))
    }

    /// Files a report and matches it, or shows the form again with what is wrong.
    func fileReport(_ request: PageRequest) async throws -> PageAnswer {
        let draft = ReportDraft(request.form)
        let (policy, days, now) = (api.policy, configuration.days, request.now)
        let reference = Self.newReference()
        let type = draft.form.isConfirmed == true ? ReportType.confirmed : .selfReported
        let entry = AuditEntry(
            at: now, account: try request.account(), action: .filedReport, object: reference, detail: type.rawValue)
        let (marked, filed) = try await api.work { store -> (ReportForm?, String) in
            let checked = try draft.checked(
                reference: reference, policy: policy, days: days, now: now, in: store)
            switch checked {
            case .mistakes(let marked): return (marked, reference)
            case .report(let report):
                if let same = try EarlierReports.same(as: report, in: store) { return (nil, same.report.reference) }
                // Noted first: nothing is filed that is not noted.
                try store.note(entry)
                _ = try store.add(report)
                return (nil, reference)
            }
        }
        if let marked { return newReportPage(request, marked) }
        try await match(filed, now: now)
        api.notices.wake()
        let done = policy.reportTypes[type] > 0 ? DoneNotice.filed : .filedUnconfirmed
        return .redirect(ReportRows.path(filed) + "?" + done.query)
    }

    private func newReportPage(_ request: PageRequest, _ form: ReportForm) -> PageAnswer {
        let notice: Frame.Notice? =
            form.hasMistakes
            ? Frame.Notice("The report is not filed yet. Check what is marked below.", isProblem: true) : nil
        return page(
            NewReportPage(
                request.frame("New report", route: .reports, notice: notice), form,
                latest: DayText.text(configuration.days.day(of: request.now))),
            status: form.hasMistakes ? .unprocessableContent : .ok)
    }
}
