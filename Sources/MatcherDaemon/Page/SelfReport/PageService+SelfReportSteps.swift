import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages
import People
import ResultPictures
import SignIn

// The pages of a self-report's steps, and whether a step can be gone.
extension PageService {
    /// Whether the earlier steps are complete.
    enum SelfReportStanding: Sendable {
        /// The draft of a picture; `nil` for a code.
        case draft(SubmittedResult?)
        /// Step that has to be repeated, or the end.
        case answer(PageAnswer)
    }

    /// Whether the details are complete.
    enum SelfReportDetails: Sendable {
        case details(SelfReportForm.Details, isOwn: Bool)
        case answer(PageAnswer)
    }

    /// Returns whether the code or the picture is there.
    func standing(_ form: SelfReportForm, _ request: PageRequest) async throws -> SelfReportStanding {
        switch form.proof {
        case .code(let text, _):
            return VerificationCode(text) == nil ? .answer(noCode(form, request)) : .draft(nil)
        case .picture(let reference):
            let found = try await api.work { store -> (draft: SubmittedResult?, isReceived: Bool) in
                guard let reference else { return (nil, false) }
                return (try store.submittedResult(reference), try CodeRedemption.isReceived(reference, in: store))
            }
            if found.isReceived { return .answer(received(.picture, request)) }
            // The store deletes what has expired now and then.
            guard let draft = found.draft, draft.picture != nil,
                draft.at > request.now - InteractionStore.draftLifetime
            else { return .answer(noPicture(form, request)) }
            return .draft(draft)
        }
    }

    /// Checks all that was typed.
    func complete(_ form: SelfReportForm, _ request: PageRequest) async throws -> SelfReportDetails {
        if case .answer(let answer) = try await standing(form, request) { return .answer(answer) }
        let own = try await ownSender(request)
        switch form.checked(own: own, policy: api.policy, days: configuration.days, now: request.now) {
        case .details(let details): return .details(details, isOwn: own != nil)
        // The page finds the mistakes again.
        case .mistakes: return .answer(going(to: .details, form, request, .unprocessableContent, ""))
        }
    }

    /// Returns the student who is signed in, with the name of the register; `nil` for anybody else.
    private func ownSender(_ request: PageRequest) async throws -> SubmittedResult.Sender? {
        guard let account = request.session?.account, account.roles.contains(.student),
            let number = account.number, !number.isEmpty
        else { return nil }
        let person = try await api.work { try $0.person(number: number) }
        return SubmittedResult.Sender(name: person?.name ?? account.name, number: number, contact: "")
    }

    // MARK: Pages

    func selfReportPage(_ request: PageRequest, _ step: Int, notice: String? = nil) -> SelfReportPage {
        SelfReportPage(
            request.frame(
                Self.selfReportTitle, route: .me, notice: notice.map { Frame.Notice($0, isProblem: true) }),
            progress: "Step \(step) of 4")
    }

    /// Returns the problem that a step states, and the status of its page.
    private func problem(
        _ form: SelfReportForm?, at step: SelfReportForm.Step
    ) -> (text: String?, status: HTTPResponse.Status) {
        guard let problem = form?.problem, problem.step == step else { return (nil, .ok) }
        return (problem.text, HTTPResponse.Status(code: problem.status))
    }

    /// Shows the form of a code.
    ///
    /// - Parameter form: the self-report that was begun; `nil` for a new one.
    func codeStep(_ form: SelfReportForm?, _ request: PageRequest) -> PageAnswer {
        let (mistake, status) = problem(form, at: .code)
        var content = selfReportPage(request, 2, notice: mistake.map { _ in Self.selfReportMistake })
        content.codeStep = SelfReportPage.CodeStep(TypedField(form?.code ?? "", mistake: mistake))
        return page(content, status: status)
    }

    func noCode(_ form: SelfReportForm, _ request: PageRequest) -> PageAnswer {
        going(
            to: .code, form, request, .unprocessableContent,
            form.code.isEmpty
                ? "Type the code."
                : "This is not a code: a code has eight digits, or 21 characters. Check each character.")
    }

    /// Shows the form of a picture.
    ///
    /// - Parameter form: the self-report that was begun; `nil` for a new one.
    func pictureStep(_ form: SelfReportForm?, _ request: PageRequest) -> PageAnswer {
        let (mistake, status) = problem(form, at: .picture)
        var content = selfReportPage(request, 2, notice: mistake.map { _ in Self.selfReportMistake })
        content.pictureStep = SelfReportPage.PictureStep(mistake: mistake)
        return page(content, status: status)
    }

    private func noPicture(_ form: SelfReportForm, _ request: PageRequest) -> PageAnswer {
        going(
            to: .picture, form, request, .unprocessableContent,
            "The picture is not kept any more: it was not sent within an hour. Choose it again.")
    }

    /// Shows the details as they were typed or suggested.
    func detailsStep(_ form: SelfReportForm, _ request: PageRequest) async throws -> PageAnswer {
        let draft: SubmittedResult?
        switch try await standing(form, request) {
        case .answer(let answer): return answer
        case .draft(let found): draft = found
        }
        let own = try await ownSender(request)
        var shown = form.typed
        if form.problem?.step == .details,
            case .mistakes(let marked) = form.checked(
                own: own, policy: api.policy, days: configuration.days, now: request.now)
        {
            shown = marked
        }
        var content = selfReportPage(request, 3, notice: shown.hasMistakes ? Self.selfReportMistake : nil)
        content.details = SelfReportPage.Details(
            shown, suggestion: draft.map(suggestion), asksSample: form.hasPicture,
            ownName: own.map { "\($0.name) (\($0.number))" },
            latest: DayText.text(configuration.days.day(of: request.now)),
            backPath: (form.hasPicture ? SelfReportForm.Step.picture : .code).path)
        return page(content, status: shown.hasMistakes ? .unprocessableContent : .ok)
    }

    /// Returns what was read off a picture, in sentences.
    private func suggestion(_ draft: SubmittedResult) -> String {
        let words = DayWords(days: configuration.days)
        let read = draft.picture?.read
        let outcome = read?.outcome.flatMap { TestOutcome(rawValue: $0) }
        let parts = [
            outcome.map { $0 == .unclear ? "no clear result" : $0.rawValue },
            read?.testDay.map { "sampled on \(words.day($0))" }, read?.orderNumber.map { "number \($0)" },
        ].compactMap(\.self)
        if parts.isEmpty {
            return
                "The picture is taken, but nothing could be read from it. A health officer looks at it. Type what it "
                + "says."
        }
        let text = "We read: \(parts.joined(separator: ", ")). Correct it if it is wrong."
        switch outcome {
        case .negative, .unclear:
            return text + " Only positive results are reported here: go on only if the result is positive."
        case .positive, nil: return text
        }
    }

    /// Shows what will be sent.
    func reviewStep(_ form: SelfReportForm, _ request: PageRequest) async throws -> PageAnswer {
        let details: SelfReportForm.Details
        switch try await complete(form, request) {
        case .answer(let answer): return answer
        case .details(let found, _): details = found
        }
        let words = DayWords(days: configuration.days)
        let (notice, status) = problem(form, at: .review)
        var content = selfReportPage(request, 4, notice: notice)
        func fact(_ label: String, _ text: String, without: String = "none") -> LabelledFact {
            LabelledFact(label, text.isEmpty ? without : text)
        }
        var facts = [
            fact("Proof", form.hasPicture ? "a picture of the result" : "a code from the health office"),
            fact("Name", details.sender.name), fact("Student or staff number", details.sender.number),
            fact("E-mail address or telephone number", details.sender.contact),
            fact("Day of the sample", details.test.map { words.day($0) } ?? "", without: "known from the code"),
            fact("Symptoms since", details.onset.map { words.day($0) } ?? "", without: "not given"),
        ]
        if form.hasPicture { facts.append(fact("Number of the order or sample", details.order)) }
        content.review = SelfReportPage.Review(
            facts: facts,
            consequence: form.hasPicture
                ? "A health officer looks at the picture. Nobody is warned before the officer confirms it."
                : "The code is used up when you send the report. If your name and number match the register of people, "
                    + "those who were near you are warned at once. Otherwise a health officer completes the report.",
            version: form.version)
        return page(content, status: status)
    }
}
