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

    @Test func `The state of a receiver is in its class and in words`() throws {
        var drawing = try drawing()
        let path = try #require(Plans.receivers.first { $0.position != nil }).path
        drawing.states = [path: .init(kind: "silent", words: "not <heard>")]
        #expect(drawing.svg.contains("<circle class=\"receiver silent\" data-receiver=\"\(path)\""))
        #expect(drawing.svg.contains(": not &lt;heard&gt;</title>"))
        drawing.states = [path: .init(kind: "\" onload=\"x", words: "")]
        #expect(!drawing.svg.contains("onload"))
    }

    @Test func `A picture for a page has no style of its own`() throws {
        var drawing = try drawing()
        drawing.styling = .external
        #expect(!drawing.svg.contains("<style"))
        #expect(drawing.svg.contains("role=\"img\""))
        #expect(drawing.svg.contains("<title id=\"floor-plan-title\">Level 2 (campus/hb/2)</title>"))
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
