import BeaconModel
import HTTPClient
import HTTPTypes
import InteractionStore
import Logging
import OperatorText
import Pages
import SignIn

extension PageService {
    /// Shows how to sign in. Somebody who is signed in goes on.
    func signIn(_ request: PageRequest) async -> PageAnswer {
        let destination = ReturnPath.of(request.query["to"])
        if request.session != nil { return .redirect(destination) }
        let start =
            parts.login == nil ? nil : PageRoute.startSignIn.path(["to": destination])
        let isSignedOut = DoneNotice(query: request.query) == .signedOut
        let elsewhere = isSignedOut ? await parts.login?.endSessionURL(page: settings.address.origin) : nil
        return page(SignInPage(request.frame("Sign in"), start: start, endElsewhere: elsewhere))
    }

    /// Sends the browser to the identity provider.
    func startSignIn(_ request: PageRequest) async throws -> PageAnswer {
        guard let login = parts.login else { throw PageError.notFound }
        let attempt = AuthorizationAttempt(returnPath: ReturnPath.of(request.query["to"]), now: request.now)
        let address = try await told(login) { try await login.authorizationURL(attempt, now: request.now) }
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
        let (account, destination) = try await told(login) {
            let answer = try CallbackParameters(query: request.query, provider: try await login.provider(now: now))
            guard let attempt = try await api.work({ try $0.takeAttempt(state: answer.state) }) else {
                throw SignInError.otherBrowser
            }
            try attempt.check(state: answer.state, binding: request.signInCookie, now: now)
            switch answer.outcome {
            case .refused(let code, let description):
                throw SignInError.refused(code: code, description: description)
            case .code(let code):
                return (try await login.account(code: code, attempt: attempt, now: now), attempt.returnPath)
            }
        }
        guard !account.roles.isEmpty else {
            login.logger.notice("sign-in without a role", metadata: ["account": "\(account.subject.shown(upTo: 64))"])
            throw PageError.noRole
        }
        var answer = try await begin(account, destination: ReturnPath.of(destination), request)
        answer.cookies.append(SessionCookie.binding("", for: 0, at: settings.address))
        return answer
    }

    /// Carries out a part of a sign-in, and turns what fails into a page and a line in the log.
    private func told<Value: Sendable>(
        _ login: LoginClient, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as SignInError {
            login.logger.warning("sign-in refused", metadata: ["because": "\(error.what)"])
            throw PageError(.forbidden, "Not signed in", error.sentence, error.remedy)
        } catch let error as HTTPClient.Failure {
            login.logger.error(
                "identity provider not reached",
                metadata: ["issuer": "\(login.settings.issuer)", "because": "\(error.inOneLine)"])
            throw PageError(
                .badGateway, "Not signed in", "The sign-in service of your institution does not answer.",
                "Try again in a minute.")
        }
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
        let entry = AuditEntry(at: request.now, account: account, action: .signedIn)
        try await api.work { store in
            if let former { try store.end(session: former) }
            try store.begin(session)
            try store.note(entry)
        }
        if let former { endStreams(of: former) }
        let limit = settings.sessions.limit(of: account.roles)
        return .redirect(
            destination, cookies: [SessionCookie.setting(token.text, for: limit, at: settings.address)])
    }

    /// Ends the session.
    func signOut(_ request: PageRequest) async throws -> PageAnswer {
        guard let session = request.session else { throw PageError.signedOut }
        let entry = AuditEntry(at: request.now, account: session.account, action: .signedOut)
        try await api.work { store in
            try store.end(session: session.hash)
            try store.note(entry)
        }
        endStreams(of: session.hash)
        return .redirect(
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
        .forbidden, "No role", "You are signed in, but your account has no role on this page.",
        "Ask the person who manages the accounts of your institution for a role.")
}
