import Pages
import SignIn
import Testing

@Suite("Pages on which floors are drawn") struct PlanPageTests {
    private func field(_ name: String, _ value: String = "", mistakes: [String] = []) -> PlanTable.Field {
        PlanTable.Field(name, label: "Label of \(name)", value: value, mistakes: mistakes)
    }

    private func page(
        mistakes: [String] = [], theirs: PlanPage.Theirs? = nil, removal: String? = nil, isThere: Bool = false
    ) -> PlanPage {
        PlanPage(
            ShownPage.frame("Draw Level 2", .operator), place: "campus/hb/2", path: "/floors/campus/hb/2", version: "3",
            origin: "Saved by Olga.", picture: "<svg class=\"floor-plan\"></svg>",
            outcome: mistakes.isEmpty ? nil : .init("Nothing was saved.", isProblem: true), theirs: theirs,
            problems: mistakes.map { .init($0, fieldName: "room-0-points") }, notes: mistakes,
            general: [field("name", Hostile.name), field("outline", "0,0 1,0 1,1")],
            tables: [
                PlanTable(
                    kind: "room", heading: "Rooms", caption: "Rooms of the floor", help: "Write corners.",
                    columns: ["Name", "Corners"],
                    rows: [
                        .init(cells: [
                            field("room-0-name", Hostile.accented),
                            field("room-0-points", "0,0", mistakes: mistakes),
                        ])
                    ]),
                PlanTable(
                    kind: "passage", heading: "Stairs and lifts", caption: "Ways", help: "Names join them.",
                    columns: ["Kind"],
                    rows: [
                        .init(cells: [
                            PlanTable.Field(
                                "passage-0-kind", label: "Kind", value: "lift",
                                choices: [
                                    .init(value: "stairs", label: "stairs", isChosen: false),
                                    .init(value: "lift", label: "lift", isChosen: true),
                                ])
                        ])
                    ]),
            ], versions: [.init(label: "Version 2", link: "/floors/campus/hb/2/edit?version=2")], removal: removal,
            underlay: .init(isThere: isThere, scale: [field("first")], extent: nil))
    }

    @Test("A drawing is a form with a label for each field, and is a picture, too")
    func form() throws {
        let shown = try ShownPage(page())
        #expect(shown.unlabelledFields == [])
        #expect(shown.count("<h1") == 1)
        #expect(shown.count("<table") == shown.count("<caption>"))
        #expect(!shown.html.contains("<th>"))
        #expect(!shown.html.contains(" style="))
        #expect(!shown.html.contains("<script>alert"))
        #expect(!shown.html.contains("{{"))
        #expect(shown.html.contains("<svg class=\"floor-plan\"></svg>"))
        #expect(shown.html.contains("name=\"version\" value=\"3\""))
        #expect(shown.html.contains("<option value=\"lift\" selected>lift</option>"))
        #expect(shown.html.contains("<div id=\"plan-editor\" hidden>"))
        #expect(!shown.html.contains("To correct"))
        #expect(!shown.html.contains("aria-invalid"))
        #expect(!shown.html.contains("Remove what was drawn"))
    }

    @Test("What is wrong is said in a list, and beside its field")
    func mistakes() throws {
        let shown = try ShownPage(page(mistakes: ["Room A crosses itself."]))
        #expect(shown.html.contains("<a href=\"#room-0-points\">Room A crosses itself.</a>"))
        #expect(shown.html.contains("aria-invalid=\"true\" aria-describedby=\"room-0-points-mistake\""))
        #expect(shown.html.contains("id=\"room-0-points-mistake\">Room A crosses itself. </span>"))
        #expect(shown.count("aria-invalid") == 1)
        #expect(shown.html.contains("class=\"notice problem\" role=\"alert\">Nothing was saved.</p>"))
    }

    @Test("What somebody else saved is shown beside what was drawn")
    func theirs() throws {
        let theirs = PlanPage.Theirs(
            sentence: "Ada saved at 14:03.", drawing: "<svg id=\"theirs\"></svg>",
            differences: ["Only their version has B."])
        let shown = try ShownPage(page(theirs: theirs, removal: "Then the file counts again.", isThere: true))
        #expect(shown.html.contains("<svg id=\"theirs\"></svg>"))
        #expect(shown.words.contains("Only their version has B."))
        #expect(shown.words.contains("Remove what was drawn of this floor"))
        #expect(shown.words.contains("Remove the picture"))
    }

    @Test("A new floor is begun or imported by labelled forms")
    func newFloor() throws {
        let shown = try ShownPage(
            NewFloorPage(
                ShownPage.frame("New floor", .operator), drawing: [field("site", Hostile.name)],
                importing: [field("import-site", mistakes: ["Use a-z."])], fileMistakes: ["f.yaml:3: is no list"]))
        #expect(shown.unlabelledFields == [])
        #expect(shown.html.contains("<li>f.yaml:3: is no list</li>"))
        // A hint is beside the label, in letters that are not bold.
        let hinted = try ShownPage(
            NewFloorPage(
                ShownPage.frame("New floor", .operator),
                drawing: [.init("height", label: "Height", hint: "optional: 3", value: "")], importing: []))
        #expect(hinted.html.contains("Height <small>optional: 3</small> <input id=\"height\""))
        #expect(!shown.html.contains("<small>optional"))
        #expect(shown.html.contains("enctype=\"multipart/form-data\""))
    }

    @Test("Floors that were found can be saved, unless something is wrong")
    func found() throws {
        func page(_ problems: [String]) -> FoundFloorsPage {
            FoundFloorsPage(
                ShownPage.frame("Import floors", .operator), file: Hostile.name,
                floors: [
                    .init(
                        place: "campus/hb/2", name: "Level 2", roomCount: 3, area: "162 m²", replaces: "nothing",
                        base: "4", drawing: "<svg></svg>")
                ], problems: problems, notes: ["Doors are missing."],
                nodes: [.init(label: "Stove", whereabouts: "kitchen", line: "position = { x = 1 }")],
                plans: problems.isEmpty ? "[[floors]]\nname = \"x\"" : nil)
        }
        let good = try ShownPage(page([]))
        #expect(good.html.contains("name=\"base:campus/hb/2\" value=\"4\""))
        #expect(good.html.contains("Save floors</button>"))
        #expect(good.nakedTables == 0)
        let bad = try ShownPage(page(["Two rooms overlap."]))
        #expect(!bad.html.contains("<button>Save floors"))
        #expect(bad.words.contains("Two rooms overlap."))
    }

    @Test("The script of drawings writes no HTML")
    func script() {
        let script = String(decoding: PageAsset.plan.bytes, as: UTF8.self)
        #expect(!script.contains("innerHTML"))
        #expect(script.utf8.count < 16_000)
    }
}
