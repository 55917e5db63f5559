import HTTPTypes
import Hummingbird
import InteractionStore
import MatcherCore
import NIOCore
import OperatorText
import Pages
import SignIn
import SystemIO

/// Entrance of the page: who asks, whether the route is for them, and whether a form comes from the page itself.
struct PageGate: Sendable {
    var service: PageService

    private static let origin = HTTPField.Name("Origin")
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")

    /// Answers a request.
    ///
    /// - Throws: `APIError` of middleware parts; every other error becomes a page.
    func answer(_ route: PageRoute, _ request: Request, _ context: APIContext) async throws -> PageAnswer {
        let now = service.api.now()
        let address = service.settings.address
        let session = try await session(request.cookies[address.cookie]?.value, now: now)
        if let session { context.visitor.note(session.account) }
        guard let query = FormFields.parse(request.uri.query ?? ""),
            let parameters = Self.parameters(of: route, context),
            let form = Self.form(of: route, request, context.body)
        else { throw PageError(.badRequest, "Not understood", "The request is damaged.", "Go back, and try again.") }
        var asked = PageRequest(
            query: query, form: form.fields, files: form.files, parameters: parameters, session: session,
            signInCookie: request.cookies[address.signInCookie]?.value,
            selfReportCookie: request.cookies[address.selfReportCookie]?.value, client: context.client,
            tag: request.headers[.ifNoneMatch], now: now, zone: service.configuration.days.name)
        let isChange = route.definition.method != .get
        if isChange, !isOwn(request) { throw PageError.foreignForm }
        // Nothing is left to end but the cookies, and nobody has to sign in for that.
        if route == .signOut, session == nil { return service.signedOut() }
        guard route.definition.access.allows(session?.account.roles) else {
            if session != nil { throw PageError.notAllowed }
            return isChange
                ? confirm(asked, request, files: form.fileFields, isSignedOut: true) : signingIn(request)
        }
        if isChange, route.definition.access != .anybody {
            guard let session,
                FormToken.isRight(form.fields["token"] ?? "", session: session.hash, key: service.parts.formKey)
            else { return confirm(asked, request, files: form.fileFields, isSignedOut: false) }
            asked.form["token"] = nil
        }
        return try await service.answer(route, asked)
    }

    /// Returns the page with an error, as it is shown to the sender of the request.
    func page(of error: PageError, _ request: Request) async -> PageAnswer {
        let now = service.api.now()
        let cookie = error.showsAccount ? request.cookies[service.settings.address.cookie]?.value : nil
        let session = try? await session(cookie, now: now)
        let account = session.map { ($0.account, $0.formToken) }
        let link =
            error == .signedOut
            ? MessagePage.Link("Sign in", path: PageRoute.signIn.path) : MessagePage.Link("First page", path: "/")
        var answer = service.page(
            MessagePage(Frame(error.title, account: account), what: error.what, remedy: error.remedy, link: link),
            status: error.status)
        (answer.retryAfter, answer.allowed) = (error.retryAfter, error.allowed)
        return answer
    }

    /// Whether a request is of somebody who is signed in, in a role that a route is for.
    func allows(_ request: Request, _ access: PageRoute.Access) async -> Bool {
        let cookie = request.cookies[service.settings.address.cookie]?.value
        guard let session = try? await session(cookie, now: service.api.now()) else { return false }
        return access.allows(session.account.roles)
    }

    /// Returns the session of a cookie; `nil` if it is over.
    private func session(_ cookie: String?, now: Int64) async throws -> PageSession? {
        guard let token = cookie.flatMap({ SessionToken($0) }) else { return nil }
        let (hash, policy) = (token.hash, service.settings.sessions)
        let stored = try await service.api.work { store -> StoredSession? in
            guard let stored = try store.session(hash: hash) else { return nil }
            if policy.isOver(created: stored.created, used: stored.used, roles: stored.account.roles, now: now) {
                try store.end(session: hash)
                return nil
            }
            if now - stored.used >= InteractionStore.sessionRenewal { try store.renew(session: hash, now: now) }
            return stored
        }
        return stored.map {
            PageSession(
                hash: hash, account: $0.account,
                formToken: FormToken.of(session: hash, key: service.parts.formKey))
        }
    }

    /// Whether a form comes from the page itself. Browsers tell by one of the two fields; where neither is, the token
    /// decides.
    private func isOwn(_ request: Request) -> Bool {
        if let name = Self.origin, let origin = request.headers[name] {
            return origin == service.settings.address.origin
        }
        if let name = Self.fetchSite, let site = request.headers[name] { return site == "same-origin" }
        return true
    }

    private func signingIn(_ request: Request) -> PageAnswer {
        .redirect(PageRoute.signIn.path(["to": ReturnPath.of(request.uri.description)]))
    }

    /// Shows a form again that was not carried out.
    ///
    /// - Parameter files: fields for files, which have to be chosen again.
    private func confirm(
        _ asked: PageRequest, _ request: Request, files: Set<String>, isSignedOut: Bool
    ) -> PageAnswer {
        let fields = asked.form.filter { $0.key != "token" }.sorted { $0.key < $1.key }
        return service.page(
            ConfirmPage(
                asked.frame(isSignedOut ? "Session ended" : "Send again"), isSignedOut: isSignedOut,
                path: request.uri.path, fields: fields.map { .init(name: $0.key, value: $0.value) },
                files: files.sorted()),
            status: isSignedOut ? .unauthorized : .forbidden)
    }

    /// Returns the form of a request; `nil` if it is damaged.
    private static func form(of route: PageRoute, _ request: Request, _ body: [UInt8]) -> MultipartForm? {
        if body.isEmpty { return MultipartForm() }
        return switch route.definition.body {
        case .files: MultipartForm.parse(body, contentType: request.headers[.contentType] ?? "")
        case .form: FormFields.parse(String(decoding: body, as: UTF8.self)).map { MultipartForm(fields: $0) }
        case .table:
            FormFields.parse(String(decoding: body, as: UTF8.self), upTo: FormFields.mostOfTable)
                .map { MultipartForm(fields: $0) }
        }
    }

    /// Returns the parameters of a route's path, decoded; `nil` if one of them is damaged.
    private static func parameters(of route: PageRoute, _ context: APIContext) -> [String: String]? {
        var parameters: [String: String] = [:]
        for level in route.definition.path.split(separator: "/") where level.hasPrefix("{") {
            let name = String(level.dropFirst().dropLast())
            guard let value = context.parameters.get(name).flatMap(PercentText.decode), !FormFields.hasNUL(value)
            else { return nil }
            parameters[name] = value
        }
        return parameters
    }
}
