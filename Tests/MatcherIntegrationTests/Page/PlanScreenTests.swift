import FloorPlans
import InteractionStore
import SignIn
import TestValues
import Testing

@testable import MatcherDaemon

@Suite("Floors that are drawn on the page") struct PlanScreenTests {
    private static let path = "/floors/campus/main/1"

    private func with<Value>(
        file: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(
            configuration: TestAPI.pageConfiguration + "[localisation]\n"
                + (file == nil ? "" : "plan = \"floors.toml\"\n"), files: ["floors.toml": file ?? ""], body)
    }

    private func drawn(_ api: TestAPI) throws -> [DrawnFloor] { try api.store.use { try $0.drawnFloors() } }

    /// Fields of a floor with one room.
    private func fields(_ room: String = "101", version: String = "0") -> [String: String] {
        [
            "version": version, "name": "First floor", "elevation": "0", "height": "3",
            "outline": "0,0 20,0 20,10 0,10",
            "room-0-name": room, "room-0-points": "0,0 20,0 20,10 0,10", "room-0-capacity": "40",
            "door-0-at": "5,0", "door-0-width": "",
        ]
    }

    private static let file = """
        [[floors]]
        site = "campus"
        building = "main"
        floor = "1"
        outline = [[0, 0], [20, 0], [20, 10], [0, 10]]
        [[floors.rooms]]
        name = "Old room"
        points = [[0, 0], [20, 0], [20, 10], [0, 10]]
        [[floors]]
        site = "campus"
        building = "main"
        floor = "2"
        z = 3
        outline = [[0, 0], [20, 0], [20, 10], [0, 10]]
        [[floors.rooms]]
        name = "201"
        points = [[0, 0], [20, 0], [20, 10], [0, 10]]
        """

    @Test("A new floor is drawn by a form alone, and counts at once")
    func drawn() async throws {
        try await with { api in
            let browser = try api.browser(.operator, name: "Olga")
            #expect(try await browser.get("/floors").text.contains("href=\"/new-floor\""))
            let created = try await browser.post(
                "/create-floor",
                ["site": "campus", "building": "main", "floor": "1", "width": "20", "depth": "10", "name": "First"])
            #expect(created.status == 303)
            let location = try #require(created.headers["location"])
            let empty = try await browser.get(location)
            #expect(empty.text.contains("value=\"0,0 20,0 20,10 0,10\""))
            #expect(empty.text.contains("This floor is new"))
            #expect(try await browser.get(Self.path).status == 404)
            let saved = try await browser.post(Self.path + "/save", fields())
            #expect(saved.status == 303)
            #expect(saved.headers["location"] == Self.path + "/edit?done=floor-saved")
            let floor = try await browser.get(Self.path)
            #expect(floor.status == 200)
            #expect(floor.text.contains("data-room=\"101\""))
            #expect(floor.text.contains("href=\"\(Self.path)/edit\""))
            let file = try await browser.get(Self.path + "/plan.toml")
            #expect(file.headers["content-disposition"] == "attachment; filename=\"campus-main-1.toml\"")
            #expect(try FloorPlanFile.parse(file.text, path: "x").map(\.path) == ["campus/main/1"])
            let edit = try await browser.get(Self.path + "/edit?done=floor-saved")
            #expect(edit.text.contains("Saved by Olga at Mon 2026-11-02 12:00."))
            #expect(edit.text.contains("name=\"version\" value=\"1\""))
            let audit = try await api.browser(.auditor, name: "Ada").get("/audit?q=drew")
            #expect(audit.text.contains(">campus/main/1</td>"))
            #expect(audit.text.contains(">Mon 2026-11-02 12:00</td>"))
        }
    }

    @Test("Mistakes are named beside their fields, and nothing that was typed is lost")
    func mistakes() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            var wrong = fields()
            wrong["room-0-points"] = "0,0 20"
            wrong["height"] = "tall"
            let refused = try await browser.post(Self.path + "/save", wrong)
            #expect(refused.status == 422)
            #expect(refused.text.contains("value=\"0,0 20\""))
            #expect(refused.text.contains("value=\"tall\""))
            // The page asks before it is left.
            #expect(refused.text.contains("data-unsaved"))
            #expect(refused.text.contains("id=\"room-0-points-mistake\""))
            #expect(refused.text.contains("value=\"101\""))
            var overlapping = fields()
            overlapping["room-7-name"] = "102"
            overlapping["room-7-points"] = "1,1 5,1 5,5"
            let checked = try await browser.post(Self.path + "/save", overlapping.merging(["only": "check"]) { $1 })
            #expect(checked.status == 422)
            #expect(checked.text.contains("Room 102 overlaps room 101"))
            let right = try await browser.post(Self.path + "/save", fields().merging(["only": "check"]) { $1 })
            #expect(right.status == 200)
            #expect(right.text.contains("Nothing was saved yet"))
            #expect(try drawn(api).isEmpty)
        }
    }

    @Test("Of two who draw one floor the second sees what the first saved, and keeps the own drawing")
    func conflict() async throws {
        try await with { api in
            let (ada, ben) = (try api.browser(.operator, name: "Ada"), try api.browser(.operator, name: "Ben"))
            _ = try await ada.post(Self.path + "/save", fields())
            #expect(try await ada.post(Self.path + "/save", fields("Ada's room", version: "1")).status == 303)
            let refused = try await ben.post(Self.path + "/save", fields("Ben's room", version: "1"))
            #expect(refused.status == 409)
            #expect(refused.text.contains("Ada saved at Mon 2026-11-02 12:00"))
            #expect(refused.text.contains("value=\"Ben&#39;s room\"") || refused.text.contains("Ben's room"))
            #expect(refused.text.contains("Only their version has the room Ada"))
            #expect(refused.text.contains("name=\"version\" value=\"2\""))
            #expect(try await ben.post(Self.path + "/save", fields("Ben's room", version: "2")).status == 303)
            // Nothing of the first is lost.
            let former = try await ben.get(Self.path + "/edit?version=2")
            #expect(former.text.contains("This is the version that Ada saved"))
            #expect(former.text.contains("data-unsaved"))
            #expect(try await !ben.get(Self.path + "/edit").text.contains("data-unsaved"))
            #expect(try await ben.get(Self.path + "/edit?version=9").status == 404)
        }
    }

    @Test("A drawn floor takes the place of the file's until it is removed")
    func instead() async throws {
        try await with(file: Self.file) { api in
            let browser = try api.browser(.operator)
            #expect(try await browser.get(Self.path + "/edit").text.contains("This floor is in the file of plans."))
            // Names are unique in the building.
            let twice = try await browser.post(Self.path + "/save", fields("201"))
            #expect(twice.status == 422)
            _ = try await browser.post(Self.path + "/save", fields("New room"))
            #expect(try await browser.get(Self.path).text.contains("New room"))
            let stale = try await browser.post(Self.path + "/remove", ["version": "7"])
            #expect(stale.status == 409)
            #expect(try await browser.post(Self.path + "/remove", ["version": "1"]).status == 303)
            #expect(try await browser.get(Self.path).text.contains("Old room"))
        }
    }

    @Test("A drawing without which others would not count is not removed before them")
    func needed() async throws {
        try await with(file: Self.file) { api in
            let browser = try api.browser(.operator)
            let second = "/floors/campus/main/2"
            #expect(try await browser.post(Self.path + "/save", fields("New room")).status == 303)
            // The file has a room of this name on the other floor.
            let upper = fields("Old room").merging(["elevation": "3"]) { $1 }
            #expect(try await browser.post(second + "/save", upper).status == 303)
            let refused = try await browser.post(Self.path + "/remove", ["version": "1"])
            #expect(refused.status == 422)
            #expect(refused.text.contains("other drawn floors would no longer count: campus/main/2."))
            #expect(try drawn(api).count == 2)
            #expect(try await browser.post(second + "/remove", ["version": "1"]).status == 303)
            #expect(try await browser.post(Self.path + "/remove", ["version": "1"]).status == 303)
        }
    }

    @Test("Drawn floors that do not count are listed for those who draw, and named as a problem")
    func uncounted() async throws {
        try await with(file: Self.file) { api in
            let browser = try api.browser(.operator)
            #expect(try await !browser.get("/floors").text.contains("Drawn floors that do not count"))
            var plan = try #require(try FloorPlanFile.parse(Self.file, path: "floors.toml").first)
            plan.floor = "3"
            plan.elevation = 6
            // It was drawn before the file had a room of this name.
            let change = DrawnFloor.Change(
                DrawnFloor(path: plan.path, toml: FloorPlanFile.text(of: [plan]), by: "Olga", at: 5), base: 0)
            _ = try api.store.use { try $0.save([change], audit: []) }
            // Floors of the store are taken when one is saved.
            #expect(try await browser.post("/floors/campus/annex/1/save", fields()).status == 303)
            let list = try await browser.get("/floors").text
            #expect(list.contains("Drawn floors that do not count"))
            #expect(list.contains("<a href=\"/floors/campus/main/3/edit\">"))
            #expect(list.contains("campus/main: floors that were drawn on the page do not count"))
            #expect(!list.contains("href=\"/floors/campus/annex/1/edit\""))
            let edit = try await browser.get("/floors/campus/main/3/edit").text
            #expect(edit.contains("<p class=\"notice problem\">campus/main: floors that were drawn"))
            #expect(!edit.contains("These do not prevent the floor from being saved"))
            #expect(try await !api.browser(.officer).get("/floors").text.contains("Drawn floors that do not count"))
        }
    }

    @Test("Floors of another program are looked at, and then saved")
    func imported() async throws {
        let yaml = """
            floors:
              - id: first
                name: First Floor
                bounds: [[0, 0, 0], [17, 18, 3]]
                rooms:
                  - name: Kitchen
                    points: [[0, 0], [7, 0], [7, 6], [0, 6]]
            nodes:
              - name: Stove
                point: [1, 1, 1]
                floors: ["first"]
            """
        try await with { api in
            let browser = try api.browser(.operator)
            let fields = ["import-site": "home", "import-building": "house"]
            let found = try await browser.upload(
                "/import-floors", fields, files: ["floors": ("c.yaml", Array(yaml.utf8))])
            #expect(found.status == 200)
            #expect(found.text.contains("First Floor <span class=\"id\">home/house/first</span>"))
            #expect(found.text.contains("Doors do not exist in that format"))
            #expect(found.text.contains("<th scope=\"row\">Stove</th>"))
            #expect(try drawn(api).isEmpty)
            let plans = FloorPlanFile.text(of: [
                FloorPlan(
                    site: "home", building: "house", floor: "first",
                    outline: PlanPolygon([PlanPoint(x: 0, y: 0), PlanPoint(x: 9, y: 0), PlanPoint(x: 9, y: 9)]))
            ])
            let saved = try await browser.post("/save-floors", ["plans": plans, "base:home/house/first": "0"])
            #expect(saved.status == 303)
            #expect(try await browser.get("/floors/home/house/first").status == 200)
            let again = try await browser.post("/save-floors", ["plans": plans, "base:home/house/first": "0"])
            #expect(again.status == 409)
            #expect(try await browser.post("/save-floors", ["plans": "x = 1"]).status == 422)
        }
    }

    @Test("A file that cannot be imported is refused with its lines")
    func damagedImport() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let damaged = try await browser.upload(
                "/import-floors", ["import-site": "home", "import-building": "house"],
                files: ["floors": ("c.yaml", Array("floors: 3\n".utf8))])
            #expect(damaged.status == 422)
            #expect(damaged.text.contains("c.yaml:1"))
            let nothing = try await browser.upload(
                "/import-floors", ["import-site": "Home", "import-building": "house"])
            #expect(nothing.status == 422)
            #expect(nothing.text.contains("No file was chosen."))
            #expect(nothing.text.contains("value=\"Home\""))
        }
    }

    @Test("A picture lies under the drawing, does nothing by itself, and nothing else is taken as one")
    func picture() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            var file = PNGFile(grey: [[0]])
            file.chunks[0] = PNGFile.header(width: 800, height: 600)
            let png = file.bytes
            let scale = ["first": "0,600", "second": "800,600", "distance": "20", "place": "0,0"]
            let early = try await browser.upload(
                Self.path + "/lay", scale, files: ["picture": ("a.png", png)])
            #expect(early.status == 404)
            _ = try await browser.post(Self.path + "/save", fields())
            for content in [Array("<svg/>".utf8), Array("<html></html>".utf8), [UInt8](repeating: 0, count: 50)] {
                let refused = try await browser.upload(
                    Self.path + "/lay", scale, files: ["picture": ("a.png", content)])
                #expect(refused.status == 422)
            }
            let longer = try await browser.upload(
                Self.path + "/lay", scale, files: ["picture": ("a.png", png + Array("<script>".utf8))])
            #expect(longer.status == 422)
            #expect(longer.text.contains("No picture was saved: 8 bytes follow the end of the picture."))
            let unscaled = try await browser.upload(
                Self.path + "/lay", scale.merging(["distance": "0"]) { $1 }, files: ["picture": ("a.png", png)])
            #expect(unscaled.status == 422)
            #expect(try await browser.get(Self.path + "/picture").status == 404)
            // Where and by whom the picture was made is not kept.
            file.chunks.insert(PNGFile.chunk("tEXt", Array("Author\0Ann".utf8)), at: 1)
            let saved = try await browser.upload(Self.path + "/lay", scale, files: ["picture": ("a.png", file.bytes)])
            #expect(saved.status == 303)
            let edit = try await browser.get(Self.path + "/edit")
            #expect(edit.text.contains("<image class=\"underlay\""))
            #expect(edit.text.contains("width=\"20\" height=\"15\""))
            let picture = try await browser.get(Self.path + "/picture")
            #expect(picture.body == png)
            #expect(picture.headers["content-type"] == "image/png")
            #expect(picture.headers["x-content-type-options"] == "nosniff")
            #expect(picture.headers["content-security-policy"]?.contains("sandbox") == true)
            #expect(try await api.browser(.officer).get(Self.path + "/picture").status == 403)
            #expect(try await browser.upload(Self.path + "/lay", scale.merging(["remove": "yes"]) { $1 }).status == 303)
            #expect(try await browser.get(Self.path + "/picture").status == 404)
        }
    }

    @Test("Officers see floors and do not draw them, and nobody draws without floor plans")
    func roles() async throws {
        try await with(file: Self.file) { api in
            let officer = try api.browser(.officer)
            let page = try await officer.get(Self.path)
            #expect(page.status == 200)
            #expect(!page.text.contains("/edit"))
            #expect(try await officer.get(Self.path + "/edit").status == 403)
        }
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let browser = try api.browser(.operator)
            let page = try await browser.get("/new-floor")
            #expect(page.status == 404)
            #expect(page.text.contains("[localisation]"))
        }
    }

    @Test("A table with many rows is taken as one form")
    func large() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            var many = fields()
            many["outline"] = "0,0 300,0 300,10 0,10"
            many["door-0-at"] = ""
            for row in 0..<150 {
                many["room-\(row)-name"] = "R\(row)"
                many["room-\(row)-points"] = "\(row * 2),0 \(row * 2 + 2),0 \(row * 2 + 2),10 \(row * 2),10"
                many["room-\(row)-capacity"] = ""
            }
            #expect(try await browser.post(Self.path + "/save", many).status == 303)
            let floors = try drawn(api)
            #expect(floors.first.flatMap { MergedPlans.plan($0.toml, path: $0.path) }?.rooms.count == 150)
        }
    }
}
