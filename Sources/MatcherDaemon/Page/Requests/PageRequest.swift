import InteractionStore
import Pages
import SignIn

/// Request as the page receives it.
struct PageRequest: Sendable {
    /// Fields of the query, decoded.
    var query: [String: String]
    /// Fields of the form, decoded, without its token.
    var form: [String: String]
    /// Chosen files of the form, by field.
    var files: [String: MultipartForm.File] = [:]
    /// Parameters of the path, decoded.
    var parameters: [String: String]
    /// Session of the browser; `nil` if nobody is signed in.
    var session: PageSession?
    /// Value of the cookie that binds a sign-in to its browser.
    var signInCookie: String?
    /// Value of the cookie with what was typed of a self-report.
    var selfReportCookie: String?
    /// The client's address.
    var client: String
    /// Header `If-None-Match`.
    var tag: String?
    /// Seconds since 1970.
    var now: Int64
    /// Name of the time zone of all times that are shown.
    var zone: String?

    /// Floor in the path, `site/building/floor`.
    var floor: String? {
        let levels = ["site", "building", "floor"].compactMap { parameters[$0] }
        return levels.count == 3 ? levels.joined(separator: "/") : nil
    }

    /// Whether the form is the answer to the question whether something is to be done (`SurePage`, `ResetPage`).
    var isSure: Bool { form["sure"] == "yes" }

    /// The account that is signed in.
    ///
    /// - Throws: `PageError.signedOut`. Routes that need a session have one, by the table of routes.
    func account() throws(PageError) -> Account {
        guard let session else { throw .signedOut }
        return session.account
    }

    /// Returns the frame of a page.
    func frame(_ title: String, route: PageRoute? = nil, notice: Frame.Notice? = nil) -> Frame {
        Frame(
            title, route: route, account: session.map { ($0.account, $0.formToken) },
            notice: notice ?? DoneNotice(query: query).map { Frame.Notice($0.text) },
            zone: zone)
    }
}

/// Session of the browser that asks.
struct PageSession: Sendable {
    var hash: String
    var account: Account
    /// Token that forms must send.
    var formToken: String
}
