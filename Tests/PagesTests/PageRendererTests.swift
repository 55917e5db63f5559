import Pages
import SignIn
import Testing

@Suite("Rendering of pages") struct PageRendererTests {
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer() }

    private let account = Account(
        issuer: "https://a.example", subject: "1", name: "Olga <b>", roles: [.officer, .auditor])

    @Test("A page has one heading, its title, and what is around it") func frame() {
        let html = renderer.html(
            MessagePage(
                Frame("Not found", account: (account, "token-of-the-form")), what: "There is no such page.",
                link: .init("First page", path: "/")))
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("<title>Not found · Beacon</title>"))
        #expect(html.components("<h1>") == 2)
        #expect(html.contains("auditor, officer"))
        #expect(html.contains("value=\"token-of-the-form\""))
        #expect(html.contains("href=\"/reports\""))
        #expect(!html.contains("{{"))
    }

    @Test("A page says once of which time zone its times are") func zone() {
        let html = renderer.html(
            MessagePage(Frame("x", account: (account, "t"), zone: "Europe/Berlin"), what: "y"))
        #expect(html.components("Times are those of Europe/Berlin.") == 2)
        #expect(!renderer.html(MessagePage(Frame("x"), what: "y")).contains("Times are those of"))
    }

    @Test("What comes from outside is escaped") func escaping() {
        let html = renderer.html(
            MessagePage(Frame("<i>", account: (account, "t")), what: "<script>alert(\"1\")</script> & 'x'"))
        #expect(!html.contains("<script>"))
        #expect(!html.contains("<b>"))
        #expect(!html.contains("<i>"))
        #expect(html.contains("&lt;script&gt;"))
    }

    @Test("Values in attributes cannot end them") func attributes() {
        let html = renderer.html(
            ConfirmPage(
                Frame("Send again"), isSignedOut: true, path: "/x\" onclick=\"y",
                fields: [.init(name: "a\" autofocus onfocus=\"b", value: "</textarea><script>")]))
        #expect(!html.contains("onclick=\""))
        #expect(!html.contains("onfocus=\""))
        #expect(!html.contains("<script>"))
    }

    @Test("Somebody who is not signed in sees no navigation") func signedOut() {
        let html = renderer.html(SignInPage(Frame("Sign in"), start: "/sign-in/start"))
        #expect(!html.contains("<nav"))
        #expect(html.contains("href=\"/sign-in/start\""))
    }

    @Test("Without an identity provider the page says how else to sign in") func noProvider() {
        #expect(renderer.html(SignInPage(Frame("Sign in"), start: nil)).contains("beacon-matcher sign-in"))
    }

    @Test("A notice is announced, a problem at once") func notice() {
        let done = renderer.html(MessagePage(Frame("x", notice: .init("Saved.")), what: "y"))
        #expect(done.contains("role=\"status\">Saved."))
        let problem = renderer.html(MessagePage(Frame("x", notice: .init("Failed.", isProblem: true)), what: "y"))
        #expect(problem.contains("role=\"alert\">Failed."))
    }

    @Test("Pages load the version of a file that the program has", arguments: PageAsset.allCases)
    func assets(_ asset: PageAsset) {
        #expect(asset.version.count == 12)
        #expect(asset.path == "/assets/\(asset.rawValue)?v=\(asset.version)")
        #expect(!asset.bytes.isEmpty)
        #expect(PageAsset(name: asset.rawValue) == asset)
    }

    @Test("The security policy has no exception for what is within a page") func policy() {
        let html = renderer.html(SignInPage(Frame("Sign in"), start: nil))
        #expect(!html.contains("<style"))
        #expect(!html.contains(" style="))
        #expect(!html.contains(" onclick"))
    }
}

extension String {
    /// Returns the number of parts between occurrences of a text.
    fileprivate func components(_ separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
