import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import ResultPictures
import SignIn

// Test results that people sent in, and what officers decide about them.
extension PageService {
    /// Maximum number of results in the list.
    private static let mostResults = 50

    /// Returns the results that wait, as the list of reports shows them.
    ///
    /// - Returns: also a sentence if there are more.
    /// - Throws: `StoreError`.
    func sentIn(in store: InteractionStore) throws -> (rows: [ReportsPage.SentIn], more: String?) {
        let (found, more) = try store.waitingResults(limit: Self.mostResults)
        let text = officerText
        let rows = found.map { result in
            ReportsPage.SentIn(
                path: Self.path(ofResult: result.reference), sent: text.time(result.at),
                sender: [result.sender.name, result.sender.number].filter { !$0.isEmpty }.joined(separator: ", "),
                sample: text.day(ifKnown: result.testDay), proof: result.picture == nil ? "code" : "picture")
        }
        return (rows, more ? "There are more than \(found.count)." : nil)
    }

    private static func path(ofResult reference: String) -> String { "/results/" + FormFields.encode(reference) }

    /// Shows a result, with the people who can be meant.
    func result(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["result"] ?? ""
        let result = try await waitingResult(reference, status: .notFound)
        try await note(.sawResult, reference, request)
        return try await resultPage(result, request, ResultDraft(result).form)
    }

    /// Answers with the picture of a result.
    func resultPicture(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["result"] ?? ""
        let result = try await waitingResult(reference, status: .notFound)
        guard let format = result.picture.flatMap({ PictureFormat(rawValue: $0.format) }) else {
            throw PageError.notFound
        }
        try await note(.sawResultPicture, reference, request)
        guard let bytes = try await api.work({ try $0.picture(ofSubmittedResult: reference) }) else {
            throw PageError.resultGone(.notFound)
        }
        return PageAnswer(content: .privatePicture(type: format.contentType, bytes: bytes))
    }

    /// Files the report of the person who was chosen, and deletes the result.
    func fileResult(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["result"] ?? ""
        let result = try await waitingResult(reference, status: .conflict)
        let draft = ResultDraft(request.form)
        let (policy, days, now, account) = (api.policy, configuration.days, request.now, try request.account())
        let entry = AuditEntry(
            at: now, account: account, action: .filedReport, object: reference,
            detail: "\(ReportType.confirmed.rawValue), of a result with a \(result.picture == nil ? "code" : "picture")"
        )
        let filed = try await api.work { store -> ResultDraft.Filing in
            try draft.file(reference, policy: policy, days: days, now: now, audit: entry, in: store)
        }
        switch filed {
        case .mistakes(let marked):
            return try await resultPage(
                result, request, marked, choice: draft.choice, status: .unprocessableContent)
        case .decidedBefore: throw PageError.resultGone(.conflict)
        case .filed: break
        }
        try await match(reference, now: now)
        api.notices.wake()
        let done = policy.reportTypes[.confirmed] > 0 ? DoneNotice.filed : .filedUnconfirmed
        return .redirect(ReportRows.path(reference) + "?" + done.query)
    }

    /// Refuses a result, and deletes it.
    func refuseResult(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["result"] ?? ""
        let result = try await waitingResult(reference, status: .conflict)
        let reason = Self.reason(request.form["reason"] ?? "")
        if reason.isEmpty {
            return try await resultPage(
                result, request, ResultDraft(result).form, refusal: "Write why. The reason is kept with your name.",
                status: .unprocessableContent)
        }
        let entry = AuditEntry(
            at: request.now, account: try request.account(), action: .refusedResult, object: reference, detail: reason)
        guard try await api.work({ try $0.decide(submittedResult: reference, audit: entry) }) else {
            throw PageError.resultGone(.conflict)
        }
        return .redirect(PageRoute.reports.path(done: .resultRefused))
    }

    /// Returns a result that waits.
    ///
    /// - Parameter status: status of the answer if it does not wait any more.
    private func waitingResult(
        _ reference: String, status: HTTPResponse.Status
    ) async throws -> SubmittedResult {
        guard let result = try await api.work({ try $0.submittedResult(reference) }), result.state == .waiting else {
            throw PageError.resultGone(status)
        }
        return result
    }

    /// Returns the page of a result.
    ///
    /// - Parameters:
    ///   - form: the report as it was sent, or as the result suggests it.
    ///   - choice: number of the person that was chosen.
    ///   - refusal: what is wrong with the reason of a refusal.
    private func resultPage(
        _ result: SubmittedResult, _ request: PageRequest, _ form: ReportForm, choice: String? = nil,
        refusal: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        var form = form
        if form.choices.isEmpty {
            form.choices = try await api.work { try ResultDraft.choices(of: result, chosen: choice, in: $0) }
        }
        let notice =
            status == .ok
            ? nil : Frame.Notice("Nothing was decided yet. Check what is marked below.", isProblem: true)
        return page(
            ResultPage(
                request.frame("Result of \(officerText.time(result.at))", route: .reports, notice: notice),
                path: Self.path(ofResult: result.reference), contents(of: result), form,
                latest: DayText.text(configuration.days.day(of: request.now)),
                reason: TypedField(mistake: refusal)),
            status: status)
    }

    private func contents(of result: SubmittedResult) -> ResultPage.Contents {
        let text = officerText
        func fact(_ label: String, _ value: String) -> LabelledFact {
            LabelledFact(label, value.isEmpty ? "not typed" : value)
        }
        let isCode = result.picture == nil
        var sent = [
            fact("Name", result.sender.name), fact("Student or staff number", result.sender.number),
            fact("Contact", result.sender.contact), fact("Day of the sample", text.day(ifKnown: result.testDay)),
            fact("Symptoms since", text.day(ifKnown: result.onset)),
        ]
        if !isCode { sent.append(fact("Number of the order or sample", result.orderNumber)) }
        let read = result.picture?.read
        return ResultPage.Contents(
            sent: sent, picturePath: isCode ? nil : Self.path(ofResult: result.reference) + "/picture",
            readOff: read.map { readOff($0) } ?? [], remark: Self.remark(result))
    }

    private func readOff(_ read: SubmittedResult.ReadOff) -> [LabelledFact] {
        [
            LabelledFact("Result", read.outcome ?? "not read"),
            LabelledFact("Day of the sample", read.testDay.map { officerText.day($0) } ?? "not read"),
            LabelledFact("Number of the order or sample", read.orderNumber ?? "not read"),
        ] + read.codes.map { LabelledFact("QR code", $0) }
    }

    private static func remark(_ result: SubmittedResult) -> String {
        guard let picture = result.picture else {
            return
                "The sender had a code from the health office, which is used up: an officer vouched for a test of this "
                + "day. Nobody in the register has both the name and the number, or the report needs a look."
        }
        guard let read = picture.read else {
            return "No program has read the picture: compare what it says with what was typed."
        }
        if let day = read.testDay, let typed = result.testDay, day != typed {
            return
                "The day that was read is not the day that was typed. What is read can be wrong: look at the "
                + "picture, and compare the name, which is not read."
        }
        return
            "Compare the name: it is not read off the picture. What is read can be wrong, and a picture can be "
            + "forged: look at it, and ask the laboratory in doubt."
    }
}

extension PageError {
    /// Returns the error of a result about which nothing can be decided any more.
    static func resultGone(_ status: HTTPResponse.Status) -> Self {
        Self(
            status, "Decided before", "This result was decided before, or it has expired. Nothing was changed.",
            "Open Reports to see what waits, and which reports were filed.")
    }
}
