import FloorPlans
import InteractionStore
import Pages
import Testing

@testable import MatcherDaemon

@Suite("Drawing of floors on the page") struct PlanDrawingTests {
    private static func rectangle(_ x: Double, _ width: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: x, y: 0), PlanPoint(x: x + width, y: 0), PlanPoint(x: x + width, y: 5), PlanPoint(x: x, y: 5),
        ])
    }

    private func plan(_ floor: String = "1", rooms: [FloorPlan.Room], elevation: Double = 0) -> FloorPlan {
        FloorPlan(
            site: "campus", building: "hb", floor: floor, elevation: elevation, outline: Self.rectangle(0, 10),
            rooms: rooms)
    }

    private func room(_ name: String, _ x: Double = 0) -> FloorPlan.Room {
        FloorPlan.Room(name: name, polygon: Self.rectangle(x, 5))
    }

    private func edited(file: [FloorPlan], drawn: [FloorPlan] = []) -> EditedFloor {
        let floors = drawn.map {
            DrawnFloor(path: $0.path, version: 3, toml: FloorPlanFile.text(of: [$0]), by: "Ada", at: 0)
        }
        return EditedFloor(
            site: "campus", building: "hb", floor: "1", drawn: floors.first { $0.path == "campus/hb/1" }, former: [],
            picture: nil, localisation: LocalisationSettings(planFile: nil, plans: file).with(floors))
    }

    @Test("Each row has fields with labels of its own, and there are empty rows")
    func rows() {
        let view = PlanFormView(form: PlanForm(plan(rooms: [room("A")])), mistakes: ["room-0-name": ["Wrong."]])
        #expect(view.tables.map(\.kind) == ["room", "door", "wall", "passage"])
        #expect(view.tables.map(\.rows.count) == [4, 3, 3, 3])
        let fields = view.general + view.tables.flatMap { $0.rows.flatMap(\.cells) }
        #expect(Set(fields.map(\.field)).count == fields.count)
        #expect(Set(fields.map(\.label)).count == fields.count)
        #expect(fields.filter(\.isWrong).map(\.field) == ["room-0-name"])
        // What the form shows is what it reads.
        let sent = Dictionary(fields.map { ($0.field, $0.value) }) { first, _ in first }
        #expect(PlanForm(fields: sent) == PlanForm(plan(rooms: [room("A")])))
    }

    @Test("A contradiction is an error beside its field, and an incomplete floor a note")
    func check() {
        let good = DrawnFloorCheck(plan(rooms: [room("A"), room("B", 5)]), among: [], receivers: [])
        #expect(good.errors.isEmpty)
        #expect(good.notes.contains { $0.hasPrefix("Room A has no door.") })
        let bad = DrawnFloorCheck(plan(rooms: [room("A"), room("B", 1)]), among: [], receivers: [])
        #expect(bad.errors.map(\.field) == ["room-1-points"])
        #expect(bad.errors.first?.text.hasPrefix("Room B overlaps room A by 20.0 m².") == true)
        let other = plan("2", rooms: [room("a")], elevation: 3)
        let named = DrawnFloorCheck(plan(rooms: [room("A")]), among: [other, plan(rooms: [room("Z")])], receivers: [])
        #expect(named.errors.count == 1)
    }

    @Test("A drawing begins with the drawn floor, else that of the file, else a rectangle above the others")
    func beginnings() throws {
        let (first, second) = (plan(rooms: [room("A")]), plan("2", rooms: [room("B")], elevation: 3))
        #expect(edited(file: [first], drawn: [plan(rooms: [room("C")])]).plan?.rooms.map(\.name) == ["C"])
        #expect(edited(file: [first]).plan == first)
        #expect(edited(file: [first]).removal == nil)
        let new = edited(file: [second])
        #expect(new.plan == nil)
        #expect(new.beginning([:]) == nil)
        #expect(new.beginning(["width": "0", "depth": "5"]) == nil)
        let begun = try #require(new.beginning(["width": "10", "depth": "5.5", "name": "Hall"]))
        #expect(begun.elevation == 6)
        #expect(begun.name == "Hall")
        #expect(begun.outline.area == 55)
    }

    @Test("Two drawings differ in rooms, doors and the outline")
    func differences() {
        var theirs = plan(rooms: [room("A"), room("B", 5)])
        let own = plan(rooms: [room("A", 1), room("C", 5)])
        theirs.doors = [.init(position: PlanPoint(x: 1, y: 0))]
        theirs.outline = Self.rectangle(0, 12)
        #expect(
            PlanDifference.sentences(theirs: theirs, own: own) == [
                "The room A is drawn differently.", "Only their version has the room B.",
                "Only your version has the room C.", "The outlines differ.",
                "Different doors: 1 in their version, 0 in yours.",
            ])
        #expect(PlanDifference.sentences(theirs: own, own: own).isEmpty)
    }

    @Test("A new floor needs the levels of its topics and its size")
    func newFloor() {
        let good = NewFloorForm([
            "site": "campus", "building": "hb", "floor": "3", "width": "18", "depth": "9.5", "name": "Level 3 & roof",
        ])
        #expect(good.mistakes.isEmpty)
        #expect(good.path == "campus/hb/3")
        #expect(good.editPath == "/floors/campus/hb/3/edit?width=18&depth=9.5&name=Level%203%20%26%20roof")
        let bad = NewFloorForm(["site": "Campus", "building": "", "floor": "3", "width": "x", "height": "0.1"])
        #expect(bad.mistakes.keys.sorted() == ["building", "depth", "height", "site", "width"])
        #expect(bad.shown(bad.mistakes).count { $0.isWrong } == 5)
        // Of an empty field it says that it is missing, and not that its letters are wrong.
        let missing = bad.mistakes.filter { $0.value[0].hasPrefix("This is missing. ") }
        #expect(missing.keys.sorted() == ["building", "depth"])
        #expect(bad.shown().filter { $0.hint != nil }.map(\.field) == ["name", "elevation", "height"])
        #expect(bad.shown().allSatisfy { !$0.label.contains("optional") })
    }

    @Test("The scale of a picture is two points and their distance")
    func scale() {
        let good = FloorScaleForm(["first": "120, 840", "second": "920,840", "distance": "12.5", "place": "0,-1.5"])
        #expect(
            good.scale == .init(x1: 120, y1: 840, x2: 920, y2: 840, distance: 12_500, planX: 0, planY: -1500))
        let bad = FloorScaleForm(["first": "1,2,3", "second": "-1,2", "distance": "0", "place": "a,b"])
        #expect(bad.scale == nil)
        #expect(bad.mistakes.keys.sorted() == ["distance", "first", "place", "second"])
        let same = FloorScaleForm(["first": "1,2", "second": "1,2", "distance": "1", "place": "0,0"])
        #expect(same.mistakes.keys.sorted() == ["second"])
        #expect(FloorScaleForm.metres(12_500) == "12.5")
    }
}
