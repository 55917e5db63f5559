import BeaconModel
import HTTPClient
import HTTPTypes
import InteractionStore
import Logging
import OperatorText
import Pages
import SignIn
import SystemIO

extension PageService {
    /// Shows how to sign in. Somebody who is signed in goes on.
    func signIn(_ request: PageRequest) async -> PageAnswer {
        let destination = ReturnPath.of(request.query["to"])
        if request.session != nil { return .redirect(destination) }
        let start =
            parts.login == nil ? nil : PageRoute.startSignIn.path(["to": destination])
        let isSignedOut = DoneNotice(query: request.query) == .signedOut
        let elsewhere =
            isSignedOut ? await parts.login?.endSessionURL(page: settings.address.origin, now: request.now) : nil
        return page(SignInPage(request.frame("Sign in"), start: start, endElsewhere: elsewhere))
    }

    /// Sends the browser to the identity provider.
    func startSignIn(_ request: PageRequest) async throws -> PageAnswer {
        guard let login = parts.login else { throw PageError.notFound }
        // Sign-ins that one browser begins in several tabs share the cookie, so that each can be completed.
        let attempt = AuthorizationAttempt(
            returnPath: ReturnPath.of(request.query["to"]), now: request.now, binding: request.signInCookie)
        let address = try await told(login, request) { try await login.authorizationURL(attempt, now: request.now) }
        try await api.work { try $0.start(attempt) }
        return .redirect(
            address,
            cookies: [
                SessionCookie.binding(attempt.binding, for: AuthorizationAttempt.lifetime, at: settings.address)
            ])
    }

    /// Completes a sign-in at the identity provider.
    func finishSignIn(_ request: PageRequest) async throws -> PageAnswer {
        guard let login = parts.login else { throw PageError.notFound }
        let now = request.now
        let (account, destination) = try await told(login, request) {
            // Without the cookie nothing can be completed: it is not worth a request or a write to the store.
            guard let binding = request.signInCookie, AuthorizationAttempt.isBinding(binding) else {
                throw SignInError.otherBrowser
            }
            let answer = try CallbackParameters(query: request.query, provider: try await login.provider(now: now))
            guard let attempt = try await api.work({ try $0.takeAttempt(state: answer.state) }) else {
                throw SignInError.otherBrowser
            }
            try attempt.check(state: answer.state, binding: binding, now: now)
            switch answer.outcome {
            case .refused(let code, let description):
                throw SignInError.refused(code: code, description: description)
            case .code(let code):
                return (try await login.account(code: code, attempt: attempt, now: now), attempt.returnPath)
            }
        }
        guard !account.roles.isEmpty else {
            login.logger.notice("sign-in without a role", metadata: ["account": "\(account.subject.shown(upTo: 64))"])
            return await withoutRole(login, request)
        }
        // The cookie of the sign-in stays for the sign-ins of other tabs: it opens nothing.
        return try await begin(account, destination: ReturnPath.of(destination), request)
    }

    /// Says that an account has no role, and leads to where its session at the identity provider ends, because the
    /// provider would sign the same account in again.
    private func withoutRole(_ login: LoginClient, _ request: PageRequest) async -> PageAnswer {
        let error = PageError.noRole
        let elsewhere = await login.endSessionURL(page: settings.address.origin, now: request.now)
        let link =
            elsewhere.map { MessagePage.Link("Sign out at the sign-in service", path: $0) }
            ?? MessagePage.Link("First page", path: "/")
        return page(
            MessagePage(request.frame(error.title), what: error.what, remedy: error.remedy, link: link),
            status: error.status)
    }

    /// Carries out a part of a sign-in, and turns what fails into a page and a line in the log.
    private func told<Value: Sendable>(
        _ login: LoginClient, _ request: PageRequest, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as SignInError {
            log("sign-in refused", .warning, ["because": "\(error.what)"], login, request)
            throw PageError(.forbidden, "Not signed in", error.sentence, error.remedy)
        } catch let error as HTTPClient.Failure {
            log(
                "identity provider not reached", .error,
                ["issuer": "\(login.settings.issuer)", "because": "\(error.inOneLine)"], login, request)
            throw PageError(
                .badGateway, "Not signed in", "The sign-in service of your institution does not answer.",
                "Try again in a minute.")
        }
    }

    /// Writes a line about a sign-in that failed, within the limits of refused requests: anybody can cause one.
    private func log(
        _ text: Logger.Message, _ level: Logger.Level, _ metadata: Logger.Metadata, _ login: LoginClient,
        _ request: PageRequest
    ) {
        let line = parts.failedSignIns.withLock { $0.refused(request.client, now: MonotonicSeconds.now) }
        guard let line else { return }
        var metadata = metadata.merging(line.metadata) { $1 }
        metadata["client"] = "\(request.client)"
        login.logger.log(level: level, text, metadata: metadata)
    }

    /// Shows the button of a one-time link.
    func link(_ request: PageRequest) throws(PageError) -> PageAnswer {
        guard settings.address.isLoopback else { throw .notFound }
        guard SessionToken(request.query["token"] ?? "") != nil else { throw .damagedLink }
        return page(
            LinkPage(
                request.frame("Sign in"), token: request.query["token"] ?? "",
                destination: ReturnPath.of(request.query["to"])))
    }

    /// Signs somebody in with a one-time link.
    func useLink(_ request: PageRequest) async throws -> PageAnswer {
        guard settings.address.isLoopback else { throw PageError.notFound }
        guard let link = SessionToken(request.form["link"] ?? "") else { throw PageError.damagedLink }
        let now = request.now
        guard let account = try await api.work({ try $0.take(link: link.hash, now: now) }) else {
            throw PageError(
                .forbidden, "Link used", "This link was used, or it has expired.",
                PageError.anotherLink)
        }
        return try await begin(account, destination: ReturnPath.of(request.form["to"]), request)
    }

    /// Begins a session, in the place of the one that the browser has.
    func begin(_ account: Account, destination: String, _ request: PageRequest) async throws -> PageAnswer {
        guard PageRoute.first(of: account.roles) != nil else { throw PageError.noRole }
        let token = SessionToken()
        let session = StoredSession(hash: token.hash, account: account, created: request.now, used: request.now)
        let former = request.session?.hash
        let entry = entry(.signedIn, account, request)
        try await api.work { store in
            if let former { try store.end(session: former) }
            try store.begin(session)
            if let entry { try store.note(entry) }
        }
        if let former { endStreams(of: former) }
        let limit = settings.sessions.limit(of: account.roles)
        var cookies: [String] = []
        // What somebody else began to report at this browser is not shown to this person.
        if isSomebodyElses(request, account) {
            cookies.append(SessionCookie.selfReport("", for: 0, at: settings.address))
        }
        cookies.append(SessionCookie.setting(token.text, for: limit, at: settings.address))
        return .redirect(destination, cookies: cookies)
    }

    /// Returns whether a self-report was begun by another account, or while another one was signed in. What the same
    /// person typed before the session ended is kept.
    private func isSomebodyElses(_ request: PageRequest, _ account: Account) -> Bool {
        if let session = request.session, session.account.key != account.key { return true }
        let owner = request.selfReportCookie.flatMap {
            SelfReport.owner(of: $0, key: parts.formKey, now: request.now)
        }
        return owner.map { $0 != SelfReport.owner(account: account.key) } ?? false
    }

    /// Returns the entry of the audit about a sign-in or sign-out; `nil` for students. Beside what is noted without a
    /// name, such as a result that was sent in, the time would tell who it was.
    private func entry(_ action: AuditEntry.Action, _ account: Account, _ request: PageRequest) -> AuditEntry? {
        account.roles == [.student] ? nil : AuditEntry(at: request.now, account: account, action: action)
    }

    /// Ends the session.
    func signOut(_ request: PageRequest) async throws -> PageAnswer {
        guard let session = request.session else { throw PageError.signedOut }
        let entry = entry(.signedOut, session.account, request)
        try await api.work { store in
            try store.end(session: session.hash)
            if let entry { try store.note(entry) }
        }
        endStreams(of: session.hash)
        return signedOut()
    }

    /// Returns the answer to whoever has no session any more.
    func signedOut() -> PageAnswer {
        .redirect(
            PageRoute.signIn.path(done: .signedOut),
            // The next person at this browser sees nothing of a self-report that was begun.
            cookies: [
                SessionCookie.selfReport("", for: 0, at: settings.address),
                SessionCookie.removing(at: settings.address),
            ])
    }

    /// Ends the streams of a session that has ended.
    private func endStreams(of session: String) {
        api.live.streams.endStreams(ofSession: session)
        api.notices.endStreams(ofSession: session)
    }
}

extension PageError {
    fileprivate static let anotherLink = "Print another one: beacon-matcher sign-in --config FILE"

    fileprivate static let damagedLink = Self(
        .notFound, "Link damaged", "This link is not complete, so nobody is signed in.",
        "Open the whole link as it was printed. \(anotherLink)")

    static let noRole = Self(
        .forbidden, "No role",
        "Your institution knows you, but your account has no role on this page, so you are not signed in.",
        "Ask the person who manages the accounts of your institution for a role.")
}
