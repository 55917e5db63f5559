import Crypto
import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages
import PictureReading
import ResultPictures
import SignIn
import SystemIO

// Report of one's own positive test, in four steps, with or without an account.
extension PageService {
    static let selfReportTitle = "Report a positive test"
    static let selfReportMistake = "Nothing is sent yet. Check what is marked below."

    /// Uses of the data, in sentences.
    private static let usesOfCode = [
        "With a code, the report counts at once if your name and number match the register of people. Otherwise "
            + "a health officer completes it.",
        "Health officers alone see what you send. People who were near you learn the day, and what to do.",
    ]
    private static let usesOfPicture = [
        "With a picture, nothing follows until a health officer has looked at it.",
        "The place, the time and the device that a camera stores in a picture are removed before it is kept.",
        "The picture is deleted when an officer has decided, after "
            + "\(InteractionStore.waitingLifetime / 86_400) days at most. If you do not send it, it is deleted after "
            + "an hour.",
    ]

    /// Shows the choice between a code and a picture, or another step, of which the state is in the cookie: a browser
    /// can go back to each.
    func selfReport(_ request: PageRequest) async throws -> PageAnswer {
        switch (request.query["with"] ?? request.query["step"]).flatMap({ SelfReportForm.Step(rawValue: $0) }) {
        case .code: return codeStep(kept(request)?.form, request)
        case .picture where parts.pictures != nil: return pictureStep(kept(request)?.form, request)
        case .details:
            switch begun(request) {
            case .answer(let answer): return answer
            case .form(let form): return try await detailsStep(form, request)
            }
        case .review:
            switch begun(request) {
            case .answer(let answer): return answer
            case .form(let form): return try await reviewStep(form, request)
            }
        case .picture, nil: break
        }
        var content = selfReportPage(request, 1)
        let path = PageRoute.selfReport.path + "?with="
        content.start = SelfReportPage.Start(
            codePath: path + SelfReportForm.Proof.Kind.code.rawValue,
            picturePath: parts.pictures == nil ? nil : path + SelfReportForm.Proof.Kind.picture.rawValue,
            uses: parts.pictures == nil ? Self.usesOfCode : Self.usesOfCode + Self.usesOfPicture,
            office: configuration.notices.sender)
        return page(content)
    }

    /// Returns the self-report in the cookie; `nil` if there is none, or one that cannot be opened any more.
    private func kept(_ request: PageRequest) -> SelfReport? {
        request.selfReportCookie.flatMap { SelfReport.opened($0, key: parts.formKey, now: request.now) }
    }

    /// Self-report that was begun.
    private enum Begun {
        case form(SelfReportForm)
        /// The first step if nothing is there any more, which says so, or the end if it was sent.
        case answer(PageAnswer)
    }

    private func begun(_ request: PageRequest) -> Begun {
        switch kept(request) {
        case .open(let form)?: .form(form)
        case .sent(let kind)?: .answer(received(kind, request))
        case nil:
            .answer(.redirect(PageRoute.selfReport.path(done: .selfReportGone)))
        }
    }

    /// Takes a code, which is used only when the report is sent.
    func selfReportCode(_ request: PageRequest) async throws -> PageAnswer {
        let fresh = Self.newReference()
        var form = kept(request)?.form ?? SelfReportForm(.code("", reference: fresh))
        form.problem = nil
        form.take(code: request.form["code"] ?? "", fresh: fresh)
        guard VerificationCode(form.code) != nil else { return noCode(form, request) }
        return going(to: .details, form, request)
    }

    /// Takes a picture, and has it read.
    func selfReportPicture(_ request: PageRequest) async throws -> PageAnswer {
        guard let intake = parts.pictures else { throw PageError.noPictures }
        var form = kept(request)?.form ?? SelfReportForm(.picture(reference: nil))
        form.problem = nil
        form.proof = .picture(reference: form.reference)
        func refused(_ mistake: String, _ status: HTTPResponse.Status = .unprocessableContent) -> PageAnswer {
            going(to: .picture, form, request, status, mistake)
        }
        guard let file = request.files["picture"] else { return refused("Choose a picture.") }
        if let seconds = api.pictureBudgets.withLock({ $0.take(request.client, now: MonotonicSeconds.elapsed) }) {
            return refused(
                "Too many pictures came from your network, so this one was not taken. Try again in "
                    + "\(Self.minutes(seconds)), or ask the health office for a code.", .tooManyRequests)
        }
        let taken: (picture: StrippedPicture, readout: PictureReadout?)
        do {
            taken = try await read(file.bytes, by: intake, now: request.now)
        } catch let error as PictureError {
            return refused(
                [error.what, error.remedy].compactMap { $0?.asSentence }.joined(separator: " "))
        }
        let facts = SubmittedResult.PictureFacts(taken.picture, taken.readout)
        guard let draft = try await keep(taken.picture, facts, in: form.reference, now: request.now) else {
            return refused(
                "Too many pictures are being sent now, so this one was not taken. Try again in an hour, or ask the "
                    + "health office for a code.", .serviceUnavailable)
        }
        form.proof = .picture(reference: draft.reference)
        if form.test.isEmpty, let day = facts.read?.testDay { form.test = DayText.text(day) }
        if form.order.isEmpty, let order = facts.read?.orderNumber { form.order = order }
        return going(to: .details, form, request)
    }

    /// Strips a picture, and has it read. One that would have to wait for too many others is taken without.
    private func read(
        _ bytes: [UInt8], by intake: PictureIntake, now: Int64
    ) async throws -> (picture: StrippedPicture, readout: PictureReadout?) {
        do {
            return try await intake.read(bytes, latest: configuration.days.day(of: now))
        } catch let error as PictureReadingError where error == .busy {
            return (try StrippedPicture(bytes), nil)
        }
    }

    /// Keeps a picture as a draft, in the place of the draft of the same sender.
    ///
    /// - Returns: `nil` if there is no room.
    private func keep(
        _ picture: StrippedPicture, _ facts: SubmittedResult.PictureFacts, in former: String?, now: Int64
    ) async throws -> SubmittedResult? {
        let fresh = Self.newReference()
        return try await api.work { store -> SubmittedResult? in
            var draft = SubmittedResult(
                reference: fresh, state: .draft, at: now, sender: .init(name: "", number: "", contact: ""),
                proof: .picture(facts))
            if let former, try store.submittedResult(former)?.state == .draft { draft.reference = former }
            return try store.keepDraft(draft, picture: picture.bytes, now: now) ? draft : nil
        }
    }

    /// Takes the details, or deletes all that was typed.
    func selfReportDetails(_ request: PageRequest) async throws -> PageAnswer {
        if request.form["delete"] == "yes" {
            return .redirect(
                PageRoute.selfReport.path(done: .selfReportDeleted),
                cookies: [SessionCookie.selfReport("", for: 0, at: settings.address)])
        }
        var form: SelfReportForm
        switch begun(request) {
        case .answer(let answer): return answer
        case .form(let found): form = found
        }
        form.problem = nil
        form.take(details: request.form)
        switch try await complete(form, request) {
        case .answer(let answer): return answer
        case .details: return going(to: .review, form, request)
        }
    }

    /// Sends what was typed.
    func sendSelfReport(_ request: PageRequest) async throws -> PageAnswer {
        switch begun(request) {
        case .answer(let answer): return answer
        case .form(var form):
            form.problem = nil
            return try await send(form, request)
        }
    }

    /// Leads to a step, with what was typed in the cookie. Nothing but redirections answers a form: a browser could
    /// not go back to the page that another answer is.
    ///
    /// - Parameter problem: what the step's page states, in sentences, with a status.
    func going(
        to step: SelfReportForm.Step, _ form: SelfReportForm, _ request: PageRequest,
        _ status: HTTPResponse.Status = .ok, _ problem: String? = nil
    ) -> PageAnswer {
        var form = form
        if let problem { form.problem = SelfReportForm.Problem(step, status.code, problem) }
        form.version = Self.newReference()
        return .redirect(step.path, cookies: cookies(of: .open(form), request))
    }

    /// Returns the cookie with a self-report.
    func cookies(of report: SelfReport, _ request: PageRequest) -> [String] {
        let owner = request.session.map { SelfReport.owner(account: $0.account.key) }
        return report.sealed(key: parts.formKey, now: request.now, owner: owner).map {
            [SessionCookie.selfReport($0, for: SelfReport.lifetime, at: settings.address)]
        } ?? []
    }

    static func newReference() -> String {
        Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes(Array.init))
    }

    /// Returns a time in seconds as minutes, rounded up.
    static func minutes(_ seconds: Int64) -> String {
        OfficerText.count(Int(max(1, (seconds + 59) / 60)), "minute", "minutes")
    }
}

extension PageError {
    static let noPictures = Self(
        .notFound, "No pictures", "This page takes no pictures of test results.",
        "Ask the health office for a code.")
}
