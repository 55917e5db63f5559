import HTTPTypes
import InteractionStore
import MatcherCore
import Pages
import SignIn
import SystemIO

// The last step of a self-report.
extension PageService {
    /// Sends a self-report: by a code it is filed if the person is in the register, otherwise it waits for an officer.
    func send(_ form: SelfReportForm, _ request: PageRequest) async throws -> PageAnswer {
        if let reference = form.reference,
            try await api.work({ try CodeRedemption.isReceived(reference, in: $0) })
        {
            // Sent by an earlier press of the button, whose answer the browser has not taken.
            return received(form.proof.kind, request)
        }
        switch try await complete(form, request) {
        case .answer(let answer): return answer
        case .details(let details, let isOwn):
            guard request.form["version"] == form.version else {
                return going(
                    to: .review, form, request, .conflict,
                    "Something was changed since this page was opened, so nothing was sent. Check it again.")
            }
            switch form.proof {
            case .code(let text, let reference):
                guard let code = VerificationCode(text) else { return noCode(form, request) }
                let redemption = CodeRedemption(
                    hash: api.codes.hash(code), reference: reference, details: details, isOwn: isOwn,
                    policy: api.policy, days: configuration.days, now: request.now)
                return try await redeem(redemption, code, form, request)
            case .picture(let reference):
                // It is there, or the step before was not gone.
                guard let reference else { return .redirect(PageRoute.selfReport.path) }
                return try await sendPicture(reference, form, details, request)
            }
        }
    }

    /// Uses a code up, and counts a wrong one, as the exchange of codes for apps does.
    private func redeem(
        _ redemption: CodeRedemption, _ code: VerificationCode, _ form: SelfReportForm, _ request: PageRequest
    ) async throws -> PageAnswer {
        let (client, now) = (request.client, request.now)
        if let seconds = api.codeTries.withLock({ $0.begin(code.form, by: client, now: now) }) {
            return going(
                to: .code, form, request, .tooManyRequests,
                "There were too many wrong codes, so this one was not tried. It is not used up. Try again in "
                    + "\(Self.minutes(seconds)).")
        }
        var isWrong = false
        defer { api.codeTries.withLock { $0.end(code.form, by: client, isWrong: isWrong, now: now) } }
        switch try await api.work({ try redemption.run(in: $0) }) {
        case .wrongCode:
            isWrong = true
            return going(
                to: .code, form, request, .forbidden,
                "This code is not valid: it is mistyped, was used before, or has expired. Check it, or ask the "
                    + "health office for another one. All else that you typed is kept.")
        case .noRoom:
            return going(
                to: .review, form, request, .serviceUnavailable,
                "Too many results wait for the health office now, so nothing was sent. The code is not used up. "
                    + "Try again later, or call the health office.")
        case .received:
            // Matched by the service that makes notices, which begins at once: how long this answer takes does not tell
            // whether the register has the person.
            api.notices.wake()
            return received(.code, request)
        }
    }

    /// Lets a picture wait for an officer.
    private func sendPicture(
        _ reference: String, _ form: SelfReportForm, _ details: SelfReportForm.Details, _ request: PageRequest
    ) async throws -> PageAnswer {
        let now = request.now
        let isSent = try await api.work { store -> Bool in
            guard var result = try store.submittedResult(reference), result.state == .draft else { return false }
            result.sender = details.sender
            result.testDay = details.test
            result.onset = details.onset
            result.orderNumber = details.order
            return try store.send(result, now: now)
        }
        if isSent { return received(.picture, request) }
        // Sent with an earlier press of the button, or gone; otherwise there is no room.
        if case .answer(let answer) = try await standing(form, request) { return answer }
        return going(
            to: .review, form, request, .serviceUnavailable,
            "Too many results wait for the health office now, so nothing was sent. Try again later, or call the "
                + "health office.")
    }

    /// Returns the way to the last page. What was typed is not kept any more: going back leads here again.
    func received(_ kind: SelfReportForm.Proof.Kind, _ request: PageRequest) -> PageAnswer {
        .redirect(
            PageRoute.selfReportReceived.path + "?with=\(kind.rawValue)",
            cookies: cookies(of: .sent(kind), request))
    }

    /// Says what happens next: the same to everybody.
    func selfReportReceived(_ request: PageRequest) -> PageAnswer {
        let isCode = request.query["with"] == SelfReportForm.Proof.Kind.code.rawValue
        let next =
            isCode
            ? "If your name and number match the register of people, those who were near you are warned now. "
                + "Otherwise a health officer completes the report first."
            : "A health officer looks at the picture, and deletes it then. Nobody is warned before the officer "
                + "confirms it."
        return page(
            MessagePage(
                request.frame("Your result has been received", route: .me),
                what: next,
                remedy:
                    "There is nothing more to do here. Stay away from others, and do what the health office says. "
                    + "It may get in touch with you.",
                link: MessagePage.Link("First page", path: "/")))
    }
}
