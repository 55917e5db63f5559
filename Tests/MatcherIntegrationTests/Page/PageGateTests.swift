import HTTPTypes
import InteractionStore
import Pages
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Entrance of the page") struct PageGateTests {
    private func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, body)
    }

    /// A path of a route, with some value for each parameter.
    private func path(_ route: PageRoute) -> String {
        route.path.split(separator: "/").reduce(into: "") { $0 += "/" + ($1.hasPrefix("{") ? "x" : $1) }
    }

    @Test("Each role can use exactly its routes") func matrix() async throws {
        try await with { api in
            for role in Role.allCases {
                let browser = try api.browser([role])
                // Everybody who is signed in can sign out; a test of its own does.
                for route in PageRoute.allCases where route != .liveFloor && route != .signOut {
                    let isChange = route.definition.method == .post
                    let path = path(route) == "" ? "/" : path(route)
                    let answer = try await isChange ? browser.post(path) : browser.get(path)
                    let isAllowed = route.definition.access.allows([role])
                    let isRefused = answer.status == 403 && answer.text.contains("role that this page needs")
                    #expect(isRefused == !isAllowed, "\(role) \(route): \(answer.status)")
                    #expect(answer.status != 500 && answer.status != 503, "\(role) \(route): \(answer.text)")
                }
            }
        }
    }

    @Test("Whoever is not signed in is led to the sign-in, and back") func signedOut() async throws {
        try await with { api in
            // Signing out needs no session; tests of its own do it.
            for route in PageRoute.allCases where !route.definition.access.allows(nil) && route != .signOut {
                if route.definition.method == .get {
                    let answer = try await api.stranger.get(path(route) + "?q=1")
                    #expect(answer.status == 303, "\(route)")
                    #expect(
                        answer.headers["location"] == "/sign-in?to=" + FormFields.encode(path(route) + "?q=1"),
                        "\(route)")
                } else {
                    #expect(try await api.stranger.post(path(route)).status == 401, "\(route)")
                }
            }
        }
    }

    @Test("Every answer forbids what the page does not need") func headers() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            for path in ["/", "/sign-in", "/overview", "/nothing", "/assets/style.css", "/audit"] {
                let answer = try await officer.get(path)
                let policy = try #require(answer.headers["content-security-policy"], "\(path)")
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "same-origin")
            }
            #expect(try await officer.get("/overview").headers["cache-control"] == "no-store")
        }
    }

    @Test("A form of another site does nothing") func foreignForm() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            for origin in ["https://evil.example", "null", "http://127.0.0.1:8481", "https://127.0.0.1:8480"] {
                let answer = try await officer.post("/sign-out", origin: origin)
                #expect(answer.status == 403)
                #expect(answer.text.contains("another site"))
            }
            let body = "token=\(officer.formToken)"
            for site in ["cross-site", "same-site", "none"] {
                #expect(try await officer.send("POST", "/sign-out", body: body, fetchSite: site).status == 403)
            }
            #expect(try await officer.get("/overview").status == 200)
        }
    }

    @Test("A form without the session's token is shown again, with what was typed") func token() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let other = try api.browser(.officer, name: "Other")
            for token in ["", "x", other.formToken] {
                let answer = try await officer.post("/reports/x/refuse", ["token": token, "reason": "lab says <no>"])
                #expect(answer.status == 403)
                #expect(answer.text.contains("lab says &lt;no&gt;"))
                #expect(answer.text.contains("value=\"\(officer.formToken)\""))
                #expect(answer.text.contains("action=\"/reports/x/refuse\""))
            }
        }
    }

    @Test("A form that is sent after the session has ended keeps what was typed") func expired() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            api.clock.withLock { $0 += 1800 }
            let answer = try await officer.post("/reports/x/refuse", ["reason": "wrong person"])
            #expect(answer.status == 401)
            #expect(answer.text.contains("wrong person"))
            #expect(answer.text.contains("Your session has ended"))
        }
    }

    @Test("A session that is used goes on, until its absolute limit") func idle() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            for _ in 0..<27 {
                api.clock.withLock { $0 += 1599 }
                #expect(try await officer.get("/overview").status == 200)
            }
            api.clock.withLock { $0 += 43_200 - 27 * 1599 }
            #expect(try await officer.get("/overview").status == 303)
        }
    }

    @Test("Signing out ends the session in the store") func signOut() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let answer = try await officer.post("/sign-out")
            #expect(answer.status == 303)
            #expect(answer.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await officer.get("/overview").status == 303)
            let sessions = try api.store.use { try $0.sessions().count }
            #expect(sessions == 0)
        }
    }

    @Test("Signing out after the session has ended takes the cookies, and asks nobody to sign in") func signOutLate()
        async throws
    {
        try await with { api in
            let officer = try api.browser(.officer)
            api.clock.withLock { $0 += 1800 }
            for browser in [officer, api.stranger] {
                let answer = try await browser.post("/sign-out")
                #expect(answer.status == 303)
                #expect(answer.headers["location"] == "/sign-in?done=signed-out")
                #expect(answer.headers["set-cookie"]?.hasPrefix("beacon-session=; Path=/; Max-Age=0;") == true)
            }
            let foreign = try await api.stranger.post("/sign-out", origin: "https://evil.example")
            #expect(foreign.status == 403 && foreign.headers["set-cookie"] == nil)
        }
    }

    @Test("A revoked session ends at once") func revoked() async throws {
        try await with { api in
            let officer = try api.browser(.officer, number: "4711")
            #expect(try api.store.use { try $0.endSessions(of: "4711") } == 1)
            #expect(try await officer.get("/overview").status == 303)
        }
    }

    @Test("A one-time link signs in once") func link() async throws {
        try await with { api in
            let token = SessionToken()
            let account = Account(issuer: Account.local, subject: "demo", name: "Demo", roles: [.officer])
            let now = api.clock.withLock { $0 }
            try api.store.use { try $0.add(link: token.hash, for: account, expires: now + 300) }
            let shown = try await api.stranger.get("/sign-in/link?token=\(token.text)&to=/reports")
            #expect(shown.status == 200)
            #expect(shown.text.contains("This link signs you in once."))
            let used = try await api.stranger.post("/sign-in/use", ["link": token.text, "to": "/reports"])
            #expect(used.status == 303)
            #expect(used.headers["location"] == "/reports")
            let cookie = try #require(used.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly; SameSite=Lax"))
            let browser = TestAPI.Browser(api: api, cookie: String(cookie.prefix { $0 != ";" }))
            #expect(try await browser.get("/overview").text.contains("Demo"))
            let again = try await api.stranger.post("/sign-in/use", ["link": token.text])
            #expect(again.status == 403)
            #expect(again.text.contains("This link was used, or it has expired."))
        }
    }

    @Test("What somebody began to report at a browser is not shown to whoever signs in there next") func begunReport()
        async throws
    {
        try await with { api in
            func signIn(_ name: String, at browser: TestAPI.Browser) async throws -> (TestAPI.Browser, isRemoved: Bool)
            {
                let token = SessionToken()
                let account = Account(issuer: Account.local, subject: name, name: name, roles: [.officer])
                let now = api.clock.withLock { $0 }
                try api.store.use { try $0.add(link: token.hash, for: account, expires: now + 300) }
                let answer = try await browser.post("/sign-in/use", ["link": token.text])
                let session = try #require(answer.cookies.first(where: { $0.hasPrefix("beacon-session=") }))
                let isRemoved = answer.cookies.contains { $0.hasPrefix("beacon-self-report=; Path=/; Max-Age=0;") }
                return (TestAPI.Browser(api: api, cookie: String(session.prefix { $0 != ";" })), isRemoved)
            }
            let first = try await signIn("Ann", at: api.stranger)
            let again = try await signIn("Ann", at: first.0)
            let other = try await signIn("Ben", at: again.0)
            #expect(!first.isRemoved && !again.isRemoved && other.isRemoved)
            // After the session has ended, only whoever began the report finds it again.
            let key = Array(try api.store.use { try $0.secret("forms") }.utf8)
            let ann = Account(issuer: Account.local, subject: "Ann", name: "Ann", roles: [.officer])
            let report = SelfReport.open(SelfReportForm(.picture(reference: nil)))
            for (owner, name, isRemoved) in [
                (ann.key, "Ann", false), (ann.key, "Ben", true), (nil, "Ben", false),
            ] as [(String?, String, Bool)] {
                let sealed = report.sealed(
                    key: key, now: api.clock.withLock { $0 }, owner: owner.map { SelfReport.owner(account: $0) })
                var browser = api.stranger
                browser.cookie = try "beacon-self-report=\(#require(sealed))"
                let signedIn = try await signIn(name, at: browser)
                #expect(signedIn.isRemoved == isRemoved, "\(name)")
            }
        }
    }

    @Test("A damaged link says how to get another one") func damagedLink() async throws {
        try await with { api in
            let cut = String(SessionToken().text.dropLast())
            let shown = try await api.stranger.get("/sign-in/link?token=\(cut)")
            let used = try await api.stranger.post("/sign-in/use", ["link": cut])
            for answer in [shown, used] {
                #expect(answer.status == 404 && answer.text.contains("This link is not complete"), "\(answer.text)")
                #expect(answer.text.contains("Print another one: beacon-matcher sign-in --config FILE"))
            }
        }
    }

    @Test("A link that has expired does not sign in, and leads nowhere else") func linkLimits() async throws {
        try await with { api in
            let (late, away) = (SessionToken(), SessionToken())
            let account = Account(issuer: Account.local, subject: "demo", name: "Demo", roles: [.officer])
            let now = api.clock.withLock { $0 }
            try api.store.use { store in
                try store.add(link: late.hash, for: account, expires: now)
                try store.add(link: away.hash, for: account, expires: now + 300)
            }
            #expect(try await api.stranger.post("/sign-in/use", ["link": late.text]).status == 403)
            let answer = try await api.stranger.post("/sign-in/use", ["link": away.text, "to": "//evil.example"])
            #expect(answer.headers["location"] == "/")
        }
    }

    @Test("The store keeps no secret of a browser") func hashes() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let stored = try api.store.use { try $0.sessions().map(\.hash) }
            let secret = try #require(officer.cookie?.split(separator: "=").last.map(String.init))
            #expect(!stored.contains(secret))
        }
    }

    @Test("Files of the page are kept by browsers until they change") func assets() async throws {
        try await with { api in
            for asset in PageAsset.allCases {
                let answer = try await api.stranger.get(asset.path)
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == asset.contentType)
                #expect(answer.headers["cache-control"]?.contains("immutable") == true)
                #expect(answer.body == asset.bytes)
            }
            #expect(try await api.stranger.get("/assets/../matcher.toml").status == 404)
            #expect(try await api.stranger.get("/assets/none.css").status == 404)
        }
    }

    @Test("Errors are pages that say what to do, and errors of the API stay JSON") func errors() async throws {
        try await with { api in
            let missing = try await api.stranger.get("/nothing")
            #expect(missing.status == 404)
            #expect(missing.headers["content-type"] == "text/html; charset=utf-8")
            #expect(missing.text.contains("There is no such page."))
            let api404 = try await api.stranger.get("/v1/nothing")
            #expect(api404.headers["content-type"] == "application/problem+json")
            let wrong = try await api.stranger.send("POST", "/overview", body: "a=b")
            #expect(wrong.status == 405 && wrong.headers["allow"] == "GET")
            #expect(
                try await api.stranger.send("POST", "/sign-out", body: "{}", type: "application/json").status == 415)
        }
    }

    @Test("A client over its budget costs no look into the store") func overBudget() async throws {
        try await TestAPI.with(requestsPerMinute: 5, configuration: TestAPI.pageConfiguration) { api in
            let officer = try api.browser(.officer)
            #expect(try await officer.get("/nothing").text.contains("Olga Officer"))
            var answer = try await officer.get("/nothing")
            for _ in 0..<50 where answer.status != 429 { answer = try await officer.get("/nothing") }
            #expect(answer.status == 429 && answer.headers["retry-after"] != nil)
            #expect(!answer.text.contains("Olga Officer"))
        }
    }

    @Test("A NUL, which no form sends, is refused like any other damage") func nul() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            for path in ["/people?q=a%00b", "/people?%00=a", "/person?number=%00", "/reports/%00"] {
                let answer = try await officer.get(path)
                #expect(answer.status == 400 && answer.text.contains("The request is damaged."), "\(path)")
            }
            #expect(try await officer.post("/reports/x/refuse", ["reason": "a\0b"]).status == 400)
        }
    }

    @Test("Without a page, its paths do not exist") func off() async throws {
        try await TestAPI.with { api in
            for path in ["/", "/sign-in", "/overview", "/assets/style.css"] {
                let answer = try await api.stranger.get(path)
                #expect(answer.status == 404)
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
        }
    }
}
