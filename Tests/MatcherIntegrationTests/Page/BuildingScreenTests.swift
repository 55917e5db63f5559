import FloorPlans
import Glibc
import InteractionStore
import Localisation
import Matching
import Pages
import RecordContract
import SignIn
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Screens of operators and auditors", .timeLimit(.minutes(10))) struct BuildingScreenTests {
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
            #expect(floor.text.contains("Positions of <span data-time>Mon 2026-11-02 12:00</span>"))
            #expect(floor.text.utf8.count < 60_000)
            #expect(try await browser.get("/floors/campus/main/2").status == 404)
        }
    }

    private func listen(_ browser: TestAPI.Browser) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.find("curl"),
            [
                "--silent", "--no-buffer", "--max-time", "60", "--noproxy", "*", "--cookie", browser.cookie ?? "",
                "http://127.0.0.1:\(browser.api.port)/floors/campus/main/1/live",
            ])
    }

    /// What a gateway says once a second while it hears nobody.
    private func signals(_ number: Int, listened: Int = 1) -> MQTTMessage {
        let text = """
            {"boot":1,"clock":"synchronized","listenedSeconds":\(listened),"number":\(number),"place":{"building":"main",\
            "floor":"1","gateway":"east","position":{"x":10,"y":5,"z":2},"site":"campus"},"subjects":[],\
            "time":"2026-11-02T08:00:00Z"}
            """
        return MQTTMessage(topic: "beacons/v1/campus/main/1/east/signals", payload: Array(text.utf8))
    }

    @Test("A stream says in words when a receiver is heard, and when it is no longer")
    func states() async throws {
        try await with { api in
            let listener = try listen(try api.browser(.operator))
            let event = await listener.output.first { $0 == "event: states" }
            #expect(event != nil)
            let first = await listener.output.first { $0.hasPrefix("data:") }
            #expect(
                first
                    == "data: {\"doubt\":\"The receivers of this floor are not heard: an empty map means nothing.\","
                    + "\"states\":{}}")
            await api.live.take(signals(1), arrivedAt: api.live.clock.seconds(), nil)
            await api.live.tick()
            let heard = await listener.output.first { $0.contains("campus/main/1/east") }
            #expect(
                heard?.hasSuffix(
                    "\"states\":{\"campus/main/1/east\":{\"kind\":\"good\",\"words\":\"heard now\"}}}") == true)
            let info = #"{"version":"1.4.0","modules":[{"name":"door","state":"failed"}]}"#
            api.gateways.take(.info(gateway: "campus/main/1/east"), Array(info.utf8))
            await api.live.tick()
            let troubled = await listener.output.first { $0.contains("module:campus/main/1/east/door") }
            #expect(troubled?.contains("heard now, module door failed") == true)
            await api.live.take(signals(2, listened: 0), arrivedAt: api.live.clock.seconds(), nil)
            await api.live.tick()
            let silent = await listener.output.first { $0.contains("not heard") }
            #expect(silent?.contains("\"campus/main/1/east\":{\"kind\":\"bad\",\"words\":\"not heard\"}") == true)
            #expect(silent?.contains("\"doubt\":\"Stale since ") == true)
            listener.send(signal: SIGKILL)
        }
    }

    @Test("A stream in which nobody moves still has an event of the present time")
    func beat() async throws {
        try await with { api in
            let listener = try listen(try api.browser(.operator))
            let states = await listener.output.first { $0 == "event: states" }
            #expect(states != nil)
            api.live.streams.beat()
            let beat = await listener.output.first { $0 == "event: beat" }
            #expect(beat != nil)
            let time = await listener.output.first { $0.hasPrefix("data:") }
            #expect(time?.hasPrefix("data: {\"asOf\":\"20") == true)
            listener.send(signal: SIGKILL)
        }
    }

    @Test("A page says once of which time zone its times are")
    func zone() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            for path in ["/floors", "/floors/campus/main/1", "/gateways"] {
                #expect(try await browser.get(path).text.ranges(of: "Times are those of UTC.").count == 1, "\(path)")
            }
        }
    }

    @Test("Who hears whom says that nothing is known before the first night, and is for operators")
    func matrix() async throws {
        try await with { api in
            let path = "/floors/campus/main/1/matrix"
            let browser = try api.browser(.operator)
            #expect(try await browser.get("/floors/campus/main/1").text.contains("href=\"\(path)\""))
            #expect(try await browser.get(path).text.contains("Nothing is known yet."))
            #expect(try await !api.browser(.officer).get("/floors/campus/main/1").text.contains(path))
            #expect(try await api.browser(.officer).get(path).status == 403)
            #expect(try await browser.get("/floors/campus/main/2/matrix").status == 404)
        }
    }

    @Test("Who hears whom shows what was learnt in the night")
    func levels() async throws {
        try await with { api in
            func spot(_ module: String, _ levels: [String: Double]) -> SurveySpot {
                SurveySpot(
                    badge: SurveySpot.modulePrefix + "campus/main/1/" + module, floor: "campus/main/1",
                    position: PlanPoint(x: 1, y: 2), startedAt: morning, length: 0,
                    signals: levels.sorted { $0.key < $1.key }.map {
                        .init(receiver: "campus/main/1/" + $0.key, rssi: $0.value, seconds: 30)
                    })
            }
            try api.store.use { store in
                try store.setModuleSpots(
                    [spot("east", ["west": -60, "hall": -70]), spot("west", ["east": -62])], in: "campus/main")
            }
            let page = try await api.browser(.operator).get("/floors/campus/main/1/matrix")
            #expect(page.status == 200)
            // Without a model nothing is expected.
            #expect(page.text.contains("Expected levels are not known now."))
            #expect(page.text.contains("as of Mon 2026-11-02 08:00."))
            #expect(page.text.contains("<td data-label=\"hall\" class=\"number \">heard</td>"))
            #expect(page.text.contains("<td data-label=\"east\" class=\"number \">own</td>"))
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
            #expect(gateway.text.contains("<dt>Version</dt><dd>1.4.0</dd>"))
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

    @Test("The first page of officers counts gateways by the states of their list")
    func gatewaysByState() async throws {
        try await with { api in
            let badge = try #require(SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"))
            try api.hear(badge, 0...5, sequence: 1)
            let unheard = "<a href=\"/floors\"><span class=\"tag warn\">never reported</span> 1</a>"
            #expect(try await api.browser(.officer).get("/overview").text.contains(unheard))
            try api.store.use { try $0.setHeard(["campus/main/1/east": morning]) }
            let both = try await api.browser(.officer, .operator).get("/overview").text
            let path = "/gateways?state=silent"
            #expect(both.contains("<a href=\"\(path)\"><span class=\"tag bad\">silent</span> 1</a>"))
            #expect(!both.contains("never reported"))
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
            #expect(gateway.text.contains("It has not reported since Mon 2026-11-02 08:00"))
            #expect(gateway.text.contains("href=\"/floors/campus/main/1\""))
            #expect(try await browser.get("/gateway?path=campus%2Fmain%2F1%2Fnone").status == 404)
        }
    }
}
