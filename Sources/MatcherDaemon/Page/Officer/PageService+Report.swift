import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import Pages

extension PageService {
    /// Shows a report, and who was exposed by it.
    func report(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["report"] ?? ""
        try await note(.sawReport, reference, request)
        return try await reportPage(reference, request)
    }

    /// Returns the page of a report.
    ///
    /// - Parameters:
    ///   - notice: message at the top, in the place of that in the address.
    ///   - reason: reason as it was typed in a form that is shown again.
    ///   - mistake: what is wrong with the reason.
    /// - Throws: `PageError` if there is no such report, with the decision by which it was deleted.
    func reportPage(
        _ reference: String, _ request: PageRequest, notice: Frame.Notice? = nil, reason: String = "",
        mistake: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let (service, now, text) = (self, request.now, officerText)
        let showsReasons = request.query["why"] == "1"
        let found = try await api.work { store -> ReportContents? in
            try ReportContents(
                reference, showsReasons: showsReasons, matching: service.reportMatching, text: text, now: now,
                in: store)
        }
        guard let found else { throw try await gone(reference) }
        let path = ReportRows.path(reference)
        let isWaiting = found.stored.isWaiting && found.stored.decision == nil
        let isConfirmed = found.stored.report.positive.reportType == .confirmed
        let decision = found.stored.decision
        return page(
            ReportPage(
                request.frame(
                    "Report of \(text.time(found.stored.report.received))", route: .reports,
                    notice: notice ?? found.problem.map { Frame.Notice($0, isProblem: true) }),
                report: found.row, reference: reference, symptoms: found.symptoms,
                decision: decision.map { text.sentence($0) + "." }, remarks: remarks(found),
                choices: ReportPage.Choices(
                    confirm: isWaiting ? path + "/confirm" : nil,
                    refuse: isWaiting && !isConfirmed ? path + "/refuse" : nil,
                    withdraw: isConfirmed ? path + "/withdraw" : nil, reason: reason, mistake: mistake),
                summary: found.summary, exposures: found.exposures,
                reasonsPath: found.hasReasons ? nil : path + "?why=1",
                notices: NoticesPart(
                    found.recipients, lettersPath: PageRoute.letters.path(["report": reference]),
                    sendPath: path + "/send", hasMail: configuration.mail != nil,
                    webhook: configuration.notices.webhook, text: text)),
            status: status)
    }

    /// Returns sentences on what waits in a report, and on what does not follow from it.
    private func remarks(_ found: ReportContents) -> [String] {
        var remarks = found.remarks
        if found.stored.isWaiting, found.stored.hasOthers {
            remarks.append("The codes of the phone count only when the report is confirmed.")
        }
        if api.policy.reportTypes[found.stored.report.positive.reportType] <= 0 {
            remarks.append("Nobody is notified: \(ExposureWords.nothingFollows(by: api.policy.name)).")
        }
        return remarks
    }

    /// Returns the error of a report that is not there: deleted by a decision, or never known.
    func gone(_ reference: String, status: HTTPResponse.Status = .notFound) async throws -> PageError {
        let decision = try await api.work { try $0.decision(report: reference) }
        guard let decision else {
            return PageError(
                .notFound, "No such report", "There is no such report.",
                "It may have been withdrawn long ago. Open Reports to see all reports.")
        }
        return PageError(
            status, "Report deleted", "\(officerText.sentence(decision)).",
            "The report is deleted, and nothing follows from it any more.")
    }
}
