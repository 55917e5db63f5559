import InteractionStore
import Matching
import Pages
import SignIn
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Screens of operators and auditors") struct BuildingScreenTests {
    private static let plan = """
        [[floors]]
        site = "campus"
        building = "main"
        floor = "1"
        name = "First floor"
        outline = [[0, 0], [40, 0], [40, 10], [0, 10]]
        [[floors.rooms]]
        name = "101"
        points = [[0, 0], [40, 0], [40, 10], [0, 10]]
        """

    private func with<Value>(
        _ keys: String = "live = [\"badge\"]", isolation: isolated (any Actor)? = #isolation,
        _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(
            configuration: TestAPI.pageConfiguration + "[localisation]\nplan = \"floors.toml\"\n\(keys)\n",
            files: ["floors.toml": Self.plan], body)
    }

    @Test("An operator goes from the list of floors to the map")
    func floors() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let list = try await browser.get("/floors")
            #expect(list.status == 200)
            #expect(list.text.contains("<a href=\"/floors/campus/main/1\">First floor</a>"))
            let floor = try await browser.get("/floors/campus/main/1")
            #expect(floor.status == 200)
            #expect(floor.text.contains("<svg"))
            #expect(!floor.text.contains("<style"))
            #expect(floor.text.contains("data-row=\"room:101\""))
            #expect(floor.text.contains("an empty map means nothing"))
            #expect(floor.text.utf8.count < 60_000)
            #expect(try await browser.get("/floors/campus/main/2").status == 404)
        }
    }

    @Test("Only who sees names is in the audit for positions, each time")
    func audited() async throws {
        try await with { api in
            _ = try await api.browser(.operator).get("/floors/campus/main/1")
            #expect(
                try await api.browser(.officer).get("/floors/campus/main/1").text.contains("<th scope=\"col\">Who</th>")
            )
            let audit = try await api.browser(.auditor, name: "Ada").get("/audit?q=positions")
            #expect(audit.text.ranges(of: "saw positions of people").count == 1)
            #expect(audit.text.contains(">campus/main/1</td>"))
            let none = try await api.browser(.auditor, name: "Ada").get("/audit?q=nothing-like-that")
            #expect(none.text.contains("Nothing was found for"))
        }
    }

    @Test("Without live positions there is a map and no stream")
    func notLive() async throws {
        try await with("") { api in
            let browser = try api.browser(.officer)
            #expect(try await browser.get("/floors/campus/main/1").text.contains("Live positions are switched off"))
            let stream = try await browser.get("/floors/campus/main/1/live")
            #expect(stream.status == 404)
            #expect(stream.text.contains("localisation.live"))
        }
    }

    @Test("The audit is shown in pages of a hundred entries")
    func auditPages() async throws {
        try await with { api in
            let account = Account(issuer: "i", subject: "s", name: "Olga", roles: [.officer])
            try api.store.use { store in
                for number in 1...150 {
                    try store.note(
                        AuditEntry(at: morning, account: account, action: .sawReport, object: "report-\(number)"))
                }
            }
            let browser = try api.browser(.auditor, name: "Ada")
            let latest = try await browser.get("/audit?q=report-")
            #expect(latest.text.ranges(of: ">saw report</td>").count == 100)
            let links = latest.text.split(separator: "href=\"").map { $0.prefix { $0 != "\"" } }
            let older = try #require(links.first { $0.hasPrefix("/audit?") && $0.contains("before=") })
            let rest = try await browser.get(String(older.replacing("&amp;", with: "&")))
            #expect(rest.text.ranges(of: ">saw report</td>").count == 50)
            #expect(rest.text.contains("Latest entries"))
        }
    }

    @Test("Versions and modules are shown, with the lines that command modules")
    func modules() async throws {
        try await with { api in
            let path = "campus/main/1/east"
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 0...5, sequence: 1)
            let info = #"{"version":"1.4.0","modules":[{"name":"door","state":"failed","error":"no answer"}]}"#
            api.gateways.take(.info(gateway: path), Array(info.utf8))
            let browser = try api.browser(.operator)
            let list = try await browser.get("/gateways")
            #expect(list.text.contains(">1.4.0</td>"))
            #expect(list.text.contains("<span class=\"tag bad\">1 with problems</span>"))
            let gateway = try await browser.get("/gateway?path=campus%2Fmain%2F1%2Feast")
            #expect(gateway.text.contains(">no answer</td>"))
            #expect(gateway.text.contains("sign-command --key-file commands.key --gateway campus/main/1/east"))
        }
    }

    @Test("Where badges are heard is said to be unknown before there is a model")
    func coverage() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            #expect(try await browser.get("/floors/campus/main/1").text.contains("?show=coverage"))
            let shown = try await browser.get("/floors/campus/main/1?show=coverage")
            #expect(shown.status == 200)
            #expect(shown.text.contains("Where badges are heard is not known yet."))
        }
    }

    @Test("Gateways are listed with their states, and each has a page")
    func gateways() async throws {
        try await with { api in
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 0...5, sequence: 1)
            try api.store.use { try $0.setHeard(["campus/main/1/east": morning]) }
            let browser = try api.browser(.operator)
            let list = try await browser.get("/gateways")
            #expect(list.text.contains("<span class=\"tag bad\">silent</span>"))
            #expect(list.text.contains("/gateway?path=campus%2Fmain%2F1%2Feast"))
            #expect(try await browser.get("/gateways?building=&state=receiving").text.contains("in this selection"))
            let gateway = try await browser.get("/gateway?path=campus%2Fmain%2F1%2Feast")
            #expect(gateway.text.contains("It has not reported since 2026-11-02 08:00"))
            #expect(gateway.text.contains("href=\"/floors/campus/main/1\""))
            #expect(try await browser.get("/gateway?path=campus%2Fmain%2F1%2Fnone").status == 404)
        }
    }
}
