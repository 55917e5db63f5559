import FloorPlans
import Localisation
import Pages
import Testing

@testable import MatcherDaemon

@Suite("What the page shows of where badges are heard") struct CoverageViewTests {
    private static func square(_ from: Double, _ to: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: from, y: 0), PlanPoint(x: to, y: 0), PlanPoint(x: to, y: 1), PlanPoint(x: from, y: 1),
        ])
    }

    private static let plan = FloorPlan(
        site: "campus", building: "hb", floor: "2", outline: square(0, 6),
        rooms: [.init(name: "A", polygon: square(0, 2)), .init(name: "B", polygon: square(2, 4))])

    /// Squares of one row: two in each room, two between rooms.
    private func view(_ levels: [Double?]) -> CoverageView {
        CoverageView(
            coverage: FloorCoverage(
                side: 1,
                squares: levels.enumerated().map { index, level in
                    .init(corner: PlanPoint(x: Double(index), y: 0), room: index < 4 ? index / 2 : nil, level: level)
                }), plan: Self.plan)
    }

    @Test("Squares side by side are one strip, by how badges are heard")
    func shades() {
        let shades = view([-60, -85, -84, -95, nil, -60]).shades
        #expect(shades.map(\.kind) == ["faint", "unheard"])
        #expect(shades.map { $0.strips.map(\.corner.x) } == [[1], [3]])
        #expect(shades.map { $0.strips.map(\.count) } == [[2], [2]])
        var drawing = FloorPlanDrawing(Self.plan)
        drawing.shades = shades
        #expect(drawing.svg.contains("<path class=\"shade unheard\" stroke=\"none\" d=\"M3 0h2v1h-2z\"/>"))
    }

    @Test("The share of the floor is said in a sentence")
    func sentence() {
        #expect(
            view([-60, -85, -95, -95, -60, -60]).sentence
                == "A badge would not be heard on 33 % of the floor, and at times only on 17 %.")
        #expect(view([-60, -60]).sentence == "A badge would be heard everywhere on this floor.")
        #expect(view([nil, nil]).sentence.hasPrefix("No receiver with a known position"))
        #expect(view([]).sentence == "The floor has no area.")
    }

    @Test("Rooms that are heard least come first")
    func rows() {
        let rows = view([-60, -60, -95, -60, -85, -60]).rows
        #expect(rows.map(\.room) == ["B", "Between rooms", "A"])
        #expect(rows.map(\.unheard) == ["50 %", "0 %", "0 %"])
        #expect(rows.map(\.faint) == ["0 %", "50 %", "0 %"])
        #expect(rows.map(\.tag?.kind) == ["bad", "warn", "good"])
    }
}
