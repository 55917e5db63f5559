import FloorPlans
import OperatorText
import Testing

@Suite(.timeLimit(.minutes(10))) struct HostilePlanTests {
    private static let head = """
        [[floors]]
        site = "s"
        building = "b"
        floor = "f"
        outline = [[0, 0], [900, 0], [900, 900], [0, 900]]

        """

    @Test func `A file that is too long is refused before it is read`() {
        let problems = Plans.problems(String(repeating: "#", count: PlanLimits.bytes + 1))
        #expect(problems == ["floors.toml: file: has 4194305 bytes; must have at most 4194304"])
    }

    @Test func `Too many rooms are one problem`() {
        let text = Self.head + String(repeating: "[[floors.rooms]]\n", count: 240_000)
        let problems = Plans.problems(text)
        #expect(
            problems == ["floors.toml:6:10: floors[0].rooms: has 240000 entries; must have at most 2000"],
            "\(problems.prefix(3))")
    }

    @Test func `Many wrong rooms are a bounded number of problems`() {
        let text = Self.head + String(repeating: "[[floors.rooms]]\nx=1\n", count: 2000)
        let count = Plans.problems(text).count
        #expect(count > 100 && count < 2000)
    }

    @Test func `Deep nesting and endless numbers are refused`() {
        let deep = "outline = " + String(repeating: "[", count: 100_000)
        #expect(Plans.problems("[[floors]]\n" + deep).first?.contains("found more than 64 nested") == true)
        let long = "[[floors]]\nz = " + String(repeating: "1", count: 1_000_000)
        #expect(Plans.problems(long).count == 1)
    }

    @Test func `Two thousand rooms are checked quickly`() throws {
        var plan = FloorPlan(site: "s", building: "b", floor: "f", outline: Plans.rectangle(0, 0, 250, 200))
        for row in 0..<40 {
            for column in 0..<50 {
                let (x, y) = (Double(column) * 5, Double(row) * 5)
                plan.rooms.append(.init(name: "\(row)-\(column)", polygon: Plans.rectangle(x, y, 5, 5)))
                plan.doors.append(.init(position: PlanPoint(x: x + 2.5, y: y)))
            }
        }
        let receivers = plan.rooms.indices.map {
            Plans.receiver("g\($0)", Double($0 % 50) * 5 + 1, Double($0 / 50) * 5 + 1)
        }.map { receiver in
            var receiver = receiver
            receiver.path = receiver.path.replacing("campus/hb/2", with: "s/b/f")
            return receiver
        }
        #expect(FloorPlanCheck.problems(of: [plan], receivers: receivers) == [])
    }

    @Test func `Combs that interlock end the check instead of keeping it busy`() {
        // Each pair of these overlaps in some places, and all their edges cross.
        func comb(_ shift: Double) -> PlanPolygon {
            var points = [PlanPoint(x: 0, y: -1)]
            for tooth in 0..<98 {
                points.append(PlanPoint(x: Double(tooth) + shift, y: 500))
                points.append(PlanPoint(x: Double(tooth) + 0.5 + shift, y: shift))
            }
            points.append(PlanPoint(x: 100, y: -1))
            return PlanPolygon(points)
        }
        var plan = FloorPlan(site: "s", building: "b", floor: "f", outline: Plans.rectangle(-10, -10, 900, 900))
        for index in 0..<2000 { plan.rooms.append(.init(name: "\(index)", polygon: comb(Double(index) / 3000))) }
        let problems = FloorPlanCheck.problems(of: [plan])
        #expect(problems.contains { $0.found.contains("overlap") || $0.found.contains("too complicated") })
    }

    @Test func `Degenerate polygons have no area and trap nothing`() {
        let points = [PlanPoint(x: 1, y: 1), PlanPoint(x: 1, y: 1), PlanPoint(x: 1, y: 1)]
        let line = [PlanPoint(x: 0, y: 0), PlanPoint(x: 5, y: 5), PlanPoint(x: 10, y: 10)]
        for points in [[], points, line] {
            var plan = FloorPlan(site: "s", building: "b", floor: "f", outline: PlanPolygon(points))
            plan.rooms = [
                .init(name: "a", polygon: PlanPolygon(points)), .init(name: "b", polygon: PlanPolygon(points)),
            ]
            plan.doors = [.init(position: PlanPoint(x: 1, y: 1))]
            plan.walls = [.init(points: points)]
            let problems = FloorPlanCheck.problems(of: [plan], receivers: [])
            #expect(problems.contains { $0.found == "has no area" })
            #expect(FloorPlanDrawing(plan).svg.hasPrefix("<svg"))
        }
    }
}
