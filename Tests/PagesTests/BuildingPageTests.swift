import Pages
import SignIn
import Testing

@Suite("Pages of floors and gateways") struct BuildingPageTests {
    private static let hostile = "<script>alert(1)</script>\"'&"
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer() }

    private func frame(_ title: String) -> Frame {
        Frame(
            title, route: .floors,
            account: (Account(issuer: "i", subject: "s", name: "Olga", roles: [.operator]), "token"))
    }

    private func floor(hasNames: Bool = false, doubt: String? = nil, isLive: Bool = true) -> FloorPage {
        FloorPage(
            frame("Level 2, hb"), place: "campus/hb/2", path: "/floors/campus/hb/2",
            positions: isLive
                ? FloorPage.Positions(
                    stream: "/floors/campus/hb/2/live", time: "Mon 2026-11-02 14:03", zone: "Europe/Berlin", count: 1,
                    doubt: doubt, hasNames: hasNames) : nil,
            picture: "<svg class=\"floor-plan\"></svg>",
            rows: [
                .init(key: "room:HB \(Self.hostile)", name: "HB \(Self.hostile)", people: ["Anna Smith"], count: 1),
                .init(key: "between", name: "Between rooms", people: [], count: 0),
            ],
            receivers: [
                .init(
                    key: "campus/hb/2/east", name: "east", location: "corridor", state: StateTag("not heard", .bad))
            ])
    }

    private func check(_ html: String, tables: Int) {
        #expect(html.ranges(of: "<h1").count == 1)
        #expect(html.ranges(of: "<table").count == tables)
        #expect(html.ranges(of: "<caption>").count == tables)
        #expect(!html.contains("<th>"))
        #expect(!html.contains(" style="))
        #expect(!html.contains("{{"))
        #expect(!html.contains("<script>"))
        #expect(!html.contains("onclick"))
    }

    @Test("A floor shows its map, and the same as tables")
    func floorPage() {
        let html = renderer.html(floor())
        check(html, tables: 2)
        #expect(html.contains("aria-label=\"Map of the floor\">\n<svg class=\"floor-plan\"></svg>"))
        #expect(html.contains("<strong data-total>1 person</strong> on this floor"))
        #expect(html.contains("Positions of <span data-time>Mon 2026-11-02 14:03</span>"))
        #expect(html.contains("data-live=\"/floors/campus/hb/2/live\" data-zone=\"Europe/Berlin\""))
        #expect(html.contains("<script type=\"module\" src=\"\(PageAsset.floor.path)\"></script>"))
        #expect(html.contains("<tr data-row=\"between\">"))
        #expect(html.contains("<tr data-state-of=\"campus/hb/2/east\"><th scope=\"row\">east</th>"))
        #expect(html.contains("<span class=\"tag bad\">not heard</span>"))
        #expect(html.contains("<div role=\"status\"><p class=\"notice problem\" data-doubt hidden></p></div>"))
        #expect(html.contains("href=\"#floor-plan-sign-bad\"/></svg> Receiver that is not heard"))
        #expect(html.contains("href=\"/floors/campus/hb/2\">Refresh</a>"))
    }

    @Test("The map fits the window, and a link makes it larger")
    func sizes() {
        var page = floor()
        #expect(renderer.html(page).contains("<a href=\"/floors/campus/hb/2?map=large#map\">Larger map</a>"))
        #expect(renderer.html(page).contains("<div class=\"map\" tabindex=\"0\""))
        page.isLarge = true
        page.sizePath = "/floors/campus/hb/2?show=coverage&x#map"
        let large = renderer.html(page)
        #expect(large.contains("<div class=\"map large\" tabindex=\"0\" role=\"region\""))
        #expect(large.contains("aria-label=\"Map of the floor, which scrolls\""))
        #expect(large.contains("href=\"/floors/campus/hb/2?show=coverage&amp;x#map\">Fit the map to the window</a>"))
    }

    @Test("Who hears whom is a table with numbers, sums and what to do")
    func matrix() {
        func page(rows: [MatrixPage.Row], findings: [String] = []) -> MatrixPage {
            MatrixPage(
                frame("Who hears whom"), place: "campus/hb/2", map: "/floors/campus/hb/2",
                levelsTime: "2026-11-02 03:00", columns: [.init("east"), .init("west")], rows: rows,
                sums: [
                    .init(
                        name: "Mean",
                        cells: [
                            .init(label: "east", words: "", kind: ""), .init(label: "west", words: "+9.0", kind: "off"),
                        ])
                ], findings: findings, unheard: "door", extent: nil, isSurveyed: true, isExpected: !findings.isEmpty)
        }
        let row = MatrixPage.Row(
            name: "east \(Self.hostile)",
            cells: [.init(label: "east", words: "own", kind: ""), .init(label: "west", words: "+9.0", kind: "weaker")],
            mean: "+9.0", spread: "9.0", isOff: true)
        let html = renderer.html(page(rows: [row], findings: ["The beacon at east is weak \(Self.hostile)."]))
        check(html, tables: 1)
        #expect(html.contains("<td data-label=\"west\" class=\"number weaker\">+9.0</td>"))
        #expect(html.contains("<span class=\"tag bad\">stands out</span>"))
        #expect(html.contains("<li>The beacon at east is weak &lt;script&gt;"))
        #expect(html.contains("as of 2026-11-02 03:00."))
        #expect(html.contains("beacons at:</strong> door."))
        #expect(html.contains("beacon-matcher survey take campus/hb/2"))
        #expect(html.contains("This floor is surveyed"))
        #expect(!html.contains("Expected levels are not known now"))
        let unknown = renderer.html(page(rows: [row]))
        #expect(unknown.contains("Expected levels are not known now"))
        #expect(!unknown.contains("What stands out"))
        let empty = renderer.html(page(rows: []))
        check(empty, tables: 0)
        #expect(empty.contains("Nothing is known yet."))
    }

    @Test("Names are shown to readers of names only")
    func names() {
        #expect(!renderer.html(floor()).contains("Anna Smith"))
        #expect(renderer.html(floor(hasNames: true)).contains(" data-people>Anna Smith</td>"))
    }

    @Test("A floor that is not heard says so, and one that is not live needs no script")
    func doubts() {
        let doubtful = renderer.html(floor(doubt: "Stale since 14:03."))
        #expect(
            doubtful.contains(
                "<div role=\"status\"><p class=\"notice problem\" data-doubt>Stale since 14:03.</p></div>"))
        let off = renderer.html(floor(isLive: false))
        check(off, tables: 1)
        #expect(off.contains("Live positions are switched off"))
        #expect(!off.contains(PageAsset.floor.path))
        #expect(!off.contains("data-live"))
    }

    @Test("Floors are listed by building, with what is known of each")
    func floors() {
        let building = FloorsPage.Building(
            name: "campus/hb",
            floors: [
                .init(
                    name: "Level \(Self.hostile)", place: "campus/hb/2", path: "/floors/campus/hb/2", roomCount: 3,
                    receiverCount: 4, peopleCount: 0, isSurveyed: true)
            ])
        let html = renderer.html(FloorsPage(frame("Floors"), buildings: [building], isLive: true))
        check(html, tables: 1)
        #expect(html.contains("<caption>Floors of campus/hb</caption>"))
        #expect(html.contains("<a href=\"/floors/campus/hb/2\">Level &lt;script&gt;"))
        #expect(html.contains(" class=\"number\">0</td>"))
        #expect(!html.contains("switched off"))
    }

    @Test("Without plans the page says where to write them; without live positions that nobody is shown")
    func noFloors() {
        let empty = renderer.html(FloorsPage(frame("Floors"), buildings: [], isLive: false))
        check(empty, tables: 0)
        #expect(empty.contains("There is no floor plan yet."))
        #expect(!empty.contains("[localisation]"))
        let unused = renderer.html(FloorsPage(frame("Floors"), buildings: [], isLive: false, isUnused: true))
        #expect(unused.contains("localisation.plan"))
        let drawing = renderer.html(
            FloorsPage(frame("Floors"), buildings: [], isLive: false, newFloorPath: "/new-floor"))
        #expect(drawing.contains("href=\"/new-floor\">Draw or import a floor</a>"))
        let building = FloorsPage.Building(
            name: "campus/hb",
            floors: [
                .init(
                    name: "2", place: "campus/hb/2", path: "/", roomCount: 3, receiverCount: 4, peopleCount: nil,
                    isSurveyed: false)
            ])
        let off = renderer.html(FloorsPage(frame("Floors"), buildings: [building], isLive: false))
        #expect(off.contains("Live positions are switched off"))
        #expect(off.contains("not known"))
    }

    private func gateways(rows: [GatewaysPage.Row], isEmpty: Bool = false) -> GatewaysPage {
        GatewaysPage(
            frame("Gateways"),
            cards: [.init(count: 2, state: StateTag("silent", .bad), path: "/gateways?building=&state=silent")],
            buildings: [.init(value: "", label: "All buildings", isSelected: true)],
            states: [.init(value: "silent", label: "silent", isSelected: false)], rows: rows,
            extent: "All 1 gateways and receivers.", nextPath: "/gateways?from=100", isEmpty: isEmpty)
    }

    @Test("Gateways are listed with their states in words")
    func gatewayTable() {
        let row = GatewaysPage.Row(
            name: Self.hostile, path: "/gateway?path=campus%2Fhb%2F2%2Feast", site: "campus", building: "hb",
            floor: "2",
            location: "corridor", state: StateTag("silent", .bad), lastReport: "2026-11-02 14:03", outbox: "1.2 kB",
            offset: "+1.5 dB")
        let html = renderer.html(gateways(rows: [row]))
        check(html, tables: 1)
        #expect(html.ranges(of: "<label>").count == html.ranges(of: "<select").count)
        #expect(html.contains("<option value=\"\" selected>All buildings</option>"))
        #expect(html.contains("<a href=\"/gateway?path=campus%2Fhb%2F2%2Feast\">&lt;script&gt;"))
        #expect(html.contains("<span class=\"figure\">2</span> <span class=\"tag bad\">silent</span>"))
        #expect(html.contains("href=\"/gateways?from=100\">Show the next ones</a>"))
        #expect(renderer.html(gateways(rows: [])).contains("No gateway is in this selection."))
        #expect(renderer.html(gateways(rows: [], isEmpty: true)).contains("No gateway is known yet."))
    }

    @Test("A gateway's page says what is wrong, and what to do")
    func gatewayPage() {
        let html = renderer.html(
            GatewayPage(
                frame("Gateway east"), place: "campus/hb/2/east", state: StateTag("silent", .bad),
                what: "It has not reported since \(Self.hostile).", remedy: "Check its power.",
                map: "/floors/campus/hb/2", facts: [.init("Room", "corridor")],
                receivers: [
                    .init(name: "own radio", location: "corridor", state: StateTag("silent", .bad), offset: "none")
                ],
                beacons: [],
                levels: [
                    .init(
                        beacon: "campus/hb/2/west", hearer: "campus/hb/2/east", level: "-71 dBm", expected: "-66 dBm",
                        difference: "+5.0 dB")
                ], levelsTime: "2026-11-02 03:00"))
        check(html, tables: 3)
        #expect(html.contains("<strong>What to do:</strong> Check its power."))
        #expect(html.contains("<dt>Room</dt><dd>corridor</dd>"))
        #expect(html.contains("No beacon is known to be installed here."))
        #expect(html.contains(", as of 2026-11-02 03:00</caption>"))
        #expect(!html.contains("<h2>Modules</h2>"))
    }

    @Test("Modules are shown with their states in words, and lines that command them")
    func modules() {
        let page = GatewayPage(
            frame("Gateway east"), place: "campus/hb/2/east", state: StateTag("receiving", .good), what: "It works.",
            remedy: nil, map: nil, facts: [.init("Version", "1.4.0")], receivers: [], beacons: [], levels: [],
            levelsTime: nil,
            modules: [
                .init(
                    label: "door", tag: StateTag("failed", .bad), firmware: "2.10", problem: Self.hostile,
                    advice: "Replace it.")
            ], commands: [.init(purpose: "To start it anew", line: "beacon-gateway sign-command")])
        let html = renderer.html(page)
        check(html, tables: 4)
        #expect(html.contains("<th scope=\"row\">door</th>"))
        #expect(html.contains("<td data-label=\"Firmware\">2.10</td>"))
        #expect(html.contains("<dd><code>beacon-gateway sign-command</code></dd>"))
    }

    @Test("Modules have buttons with the name of the module where the page gives commands")
    func moduleButtons() {
        let page = GatewayPage(
            frame("Gateway east"), place: "campus/hb/2/east", state: StateTag("receiving", .good), what: "It works.",
            remedy: nil, map: nil, facts: [], receivers: [], beacons: [], levels: [], levelsTime: nil,
            modules: [
                .init(
                    label: "door", tag: StateTag("advertising", .good), firmware: "2.10", problem: "none", advice: "")
            ], hasButtons: true)
        let html = renderer.html(page)
        check(html, tables: 4)
        #expect(html.contains("<button class=\"quiet\">Identify<span class=\"hidden\"> door</span></button>"))
        #expect(html.contains("<button class=\"danger\">Reset<span class=\"hidden\"> door</span></button>"))
        #expect(html.ranges(of: "<input type=\"hidden\" name=\"path\" value=\"campus/hb/2/east\">").count == 3)
        #expect(!html.contains("sign-command"))
    }

    @Test("A gateway is revoked with a reason, and one that is revoked is restored instead")
    func trust() {
        func html(_ trust: GatewayPage.Trust) -> String {
            renderer.html(
                GatewayPage(
                    frame("Gateway east"), place: "campus/hb/2/east", state: StateTag("receiving", .good),
                    what: "It works.", remedy: nil, map: nil, facts: [], receivers: [], beacons: [], levels: [],
                    levelsTime: nil, trust: trust))
        }
        let trusted = html(
            .init(
                reason: Self.hostile, mistake: "Write why.",
                commands: [.init(purpose: "Its key", line: "beacon-matcher gateway-key \(Self.hostile)")]))
        check(trusted, tables: 3)
        #expect(trusted.contains("action=\"/gateway/revoke\"") && !trusted.contains("/gateway/restore"))
        #expect(trusted.contains("aria-describedby=\"reason-mistake\""))
        #expect(trusted.contains("<dd><code>beacon-matcher gateway-key &lt;script&gt;"))
        let revoked = html(.init(revokedSince: "1793606400"))
        #expect(revoked.contains("name=\"since\" value=\"1793606400\""))
        #expect(revoked.contains("action=\"/gateway/restore\"") && !revoked.contains("/gateway/revoke"))
    }

    @Test("A reset is asked for once more, with a way back")
    func resetQuestion() {
        let html = renderer.html(
            ResetPage(
                frame("Reset door?"), place: "campus/hb/2/east", module: "door",
                back: "/gateway?path=campus%2Fhb%2F2%2Feast"))
        check(html, tables: 0)
        #expect(html.contains("<input type=\"hidden\" name=\"sure\" value=\"yes\">"))
        #expect(html.contains("href=\"/gateway?path=campus%2Fhb%2F2%2Feast\">Do not reset it</a>"))
    }

    @Test("Where badges are heard is shown on the map and as a table")
    func coverage() {
        var page = floor()
        page.coverage = FloorPage.Coverage(
            sentence: "A badge would not be heard on 12 % of the floor.",
            rows: [.init(room: Self.hostile, unheard: "40 %", faint: "0 %", tag: StateTag("not heard", .bad))])
        page.editPath = "/floors/campus/hb/2/edit"
        page.matrixPath = "/floors/campus/hb/2/matrix"
        let html = renderer.html(page)
        check(html, tables: 3)
        #expect(html.contains("role=\"status\">A badge would not be heard on 12 % of the floor.</p>"))
        #expect(html.contains("<td data-label=\"Not heard\" class=\"number\">40 %</td>"))
        #expect(html.contains("href=\"/floors/campus/hb/2\">Hide where badges are heard</a>"))
        #expect(html.contains("href=\"/floors/campus/hb/2/edit\">Draw this floor</a>"))
        #expect(html.contains("href=\"/floors/campus/hb/2/matrix\">Who hears whom</a>"))
        page.coverage = FloorPage.Coverage(sentence: "Not known yet.", rows: [])
        check(renderer.html(page), tables: 2)
    }

    @Test("The script of the map is small")
    func script() {
        #expect(PageAsset.floor.bytes.count < 14_000)
        #expect(!String(decoding: PageAsset.floor.bytes, as: UTF8.self).contains("innerHTML"))
    }
}
