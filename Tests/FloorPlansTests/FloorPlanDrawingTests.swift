import BeaconModel
import FloorPlans
import TestValues
import Testing

@Suite struct FloorPlanDrawingTests {
    private func drawing() throws -> FloorPlanDrawing {
        let plan = try #require(try Plans.parse(Plans.text).first)
        return FloorPlanDrawing(
            plan, receivers: Plans.receivers,
            marks: [.init(position: PlanPoint(x: 3, y: 3), radius: 1.25, label: "badge 7 & <more>")])
    }

    @Test func `The picture is the one in the repository`() throws {
        let plan = try #require(try Plans.parse(Plans.text).first)
        #expect(
            try FloorPlanDrawing(plan).svg
                == String(decoding: Repository.read("Tests/FloorPlansTests/Golden/floor.svg"), as: UTF8.self))
    }

    @Test func `Text of others is escaped`() throws {
        var drawing = try drawing()
        drawing.plan.rooms[0].name = "<script>\"'&\u{1}"
        drawing.marks[0].kind = "\" onload=\"x"
        let svg = drawing.svg
        #expect(svg.contains("&lt;script&gt;&quot;&#39;&amp;?"))
        #expect(!svg.contains("<script"))
        #expect(!svg.contains("onload"))
    }

    @Test func `Doors are gaps in the walls that they are in`() throws {
        let svg = try drawing().svg
        // The upper edge of HB 2.11 from 7 to 0, with a gap of 1.2 m around 5.
        #expect(svg.contains("M7 6L5.6 6M4.4 6L0 6"))
        #expect(svg.contains("M7 0L7 6"))
    }

    @Test func `The state of a receiver is in its shape, its class and in words`() throws {
        var drawing = try drawing()
        let path = try #require(Plans.receivers.first { $0.position != nil }).path
        drawing.states = [path: .init(.bad, words: "not <heard>")]
        let svg = drawing.svg
        #expect(svg.contains("<use class=\"receiver bad\" data-receiver=\"\(path)\" href=\"#floor-plan-sign-bad\""))
        #expect(svg.contains(": not &lt;heard&gt;</title>"))
        #expect(!svg.contains("<circle class=\"receiver"))
        #expect(svg.ranges(of: "<g").count == svg.ranges(of: "</g>").count)
        drawing.states = [:]
        #expect(drawing.svg.contains("class=\"receiver unknown\" data-receiver=\"\(path)\""))
    }

    @Test func `Each state has a shape of its own`() {
        #expect(Set(StateSign.allCases.map(\.path)).count == StateSign.allCases.count)
    }

    @Test func `Of labels that would cover each other one is shown, and the others are titles`() throws {
        var drawing = try drawing()
        drawing.marks = (0..<40).map { number in
            FloorPlanDrawing.Mark(position: PlanPoint(x: 3, y: 1.5), label: "Somebody \(number)")
        }
        let svg = drawing.svg
        let labels = svg.ranges(of: "<text class=\"mark-label\"").count
        #expect(labels > 0 && labels < 9)
        #expect(svg.ranges(of: "<title>Somebody").count == 40)
    }

    @Test func `A picture for a page has no style of its own`() throws {
        var drawing = try drawing()
        drawing.styling = .external
        #expect(!drawing.svg.contains("<style"))
        #expect(drawing.svg.contains("role=\"img\""))
        #expect(drawing.svg.contains("<title id=\"floor-plan-title\">Level 2 (campus/hb/2)</title>"))
    }

    @Test func `A circle of uncertainty ends at the edge of the floor`() throws {
        let svg = try drawing().svg
        #expect(svg.contains("<clipPath id=\"floor-plan-floor\"><polygon points="))
        #expect(svg.contains("r=\"1.25\" clip-path=\"url(#floor-plan-floor)\"/>"))
        // Also of people whom the script of a page draws.
        var empty = try drawing()
        empty.marks = []
        #expect(!empty.svg.contains("<clipPath"))
        empty.styling = .external
        #expect(empty.svg.contains("<clipPath id=\"floor-plan-floor\""))
    }

    @Test func `On a page a name says how far it can grow in its room on a small screen`() throws {
        var drawing = try drawing()
        drawing.styling = .external
        drawing.raisesNames = true
        drawing.plan.outline = Plans.rectangle(0, 0, 45, 45)
        drawing.plan.rooms = [drawing.plan.rooms[0]]
        // The greatest letters are a metre high: 45 m by 45.
        func name(_ text: String, in side: Double) -> Bool? {
            drawing.plan.rooms[0].name = text
            drawing.plan.rooms[0].polygon = Plans.rectangle(0, 0, side, side)
            let svg = drawing.svg
            return svg.contains("class=\"name grows-20\"") ? true : svg.contains("grows") ? false : nil
        }
        #expect(name("Hall", in: 20) == true)
        #expect(name("Laboratory", in: 10) == false)
        #expect(name("A very long name of a room", in: 10) == nil)
        // Wide enough, and too low.
        #expect(name("A", in: 2.5) == nil)
    }

    @Test func `The name of a concave room is inside of it`() throws {
        let points = [(0, 0), (10, 0), (10, 10), (9, 10), (9, 1), (0, 1)]
        let polygon = PlanPolygon(points.map { PlanPoint(x: Double($0.0), y: Double($0.1)) })
        let label = try #require(polygon.labelPoint)
        #expect(polygon.contains(label))
        #expect(polygon.edges.allSatisfy { $0.nearest(to: label).distance > 0.3 })
    }

    @Test func `Positions that are no numbers are left out`() throws {
        var drawing = try drawing()
        drawing.marks = [
            .init(position: PlanPoint(x: .nan, y: 1)), .init(position: PlanPoint(x: 1, y: 1), radius: .infinity),
        ]
        drawing.receivers = [Plans.receiver("x", .infinity, 1)]
        #expect(!drawing.svg.contains("?"))
    }
}
