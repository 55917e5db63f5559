import FloorPlans
import OperatorText
import Testing

@Suite struct FloorPlanFileTests {
    @Test func `A file is read with its units and defaults`() throws {
        let plans = try Plans.parse(Plans.text)
        let plan = try #require(plans.first)
        #expect(plans.count == 1)
        #expect(plan.path == "campus/hb/2")
        #expect(plan.name == "Level 2")
        #expect(plan.elevation == 6.4)
        #expect(plan.height == 3.2)
        #expect(plan.outline == Plans.rectangle(0, 0, 18, 9))
        #expect(plan.rooms.map(\.name) == ["HB 2.11", "HB 2.12", "corridor"])
        #expect(plan.rooms.map(\.capacity) == [40, nil, nil])
        #expect(plan.walls == [.init(points: [PlanPoint(x: 7, y: 0), PlanPoint(x: 7, y: 6)], attenuation: 5.5)])
        #expect(plan.doors.map(\.width) == [1.2, 1])
        #expect(plan.passages == [.init(kind: .stairs, name: "east", position: PlanPoint(x: 17, y: 8))])
        #expect(plan.wallAttenuation == 4.5)
        #expect(plan.ceilingAttenuation == 14)
    }

    @Test func `However often the first point is repeated at the end, it is written once`() throws {
        let text = Plans.text.replacing("[7, 6], [0, 6]]\ncap", with: "[7, 6], [0, 0], [0, 0], [0, 0]]\ncap")
        let plans = try Plans.parse(text)
        #expect(plans.first?.rooms.first?.polygon.points.count == 3)
        #expect(try Plans.parse(FloorPlanFile.text(of: plans)) == plans)
    }

    @Test func `A last point that repeats the first is left out`() throws {
        let text = Plans.text.replacing("[7, 6], [0, 6]]\ncap", with: "[7, 6], [0, 6], [0, 0]]\ncap")
        #expect(try Plans.parse(text) == Plans.parse(Plans.text))
    }

    @Test func `What is written reads back to the same plans`() throws {
        var plans = try Plans.parse(Plans.text)
        plans[0].rooms[0].name = "Caf\u{E9} \"1\\2\" #"
        plans[0].rooms[0].polygon.points[0] = PlanPoint(x: -0.1, y: 1e-7)
        plans[0].ceilingAttenuation = 12.25
        plans.append(FloorPlan(site: "s", building: "b", floor: "g", outline: Plans.rectangle(0.1, 0.2, 0.3, 1 / 3)))
        let text = FloorPlanFile.text(of: plans, notes: ["made from\nanother file", ""])
        #expect(try Plans.parse(text) == plans)
        #expect(text.hasPrefix("# made from?another file\n#\n"))
    }

    @Test(
        "What is wrong is said with its line, what was found, and what is allowed",
        arguments: [
            (
                "site = \"campus\"", "site = \"Campus\"",
                "floors.toml:2:1: floors[0].site: found \"Campus\"; must be made up"
            ),
            ("site = \"campus\"\n", "", "floors.toml:1:3: floors[0].site: is missing; must be made up"),
            (
                "height = 3.2", "heigth = 3.2",
                "floors.toml:7:1: floors[0].heigth: is unknown; the keys of this table are"
            ),
            (
                "height = 3.2", "height = 320",
                "floors.toml:7:1: floors[0].height: found 320.0; must be from 1.5 to 30.0"
            ),
            ("z = 6.4", "z = nan", "floors.toml:6:1: floors[0].z: found "),
            ("[18, 9], [0, 9]]", "[18, 9], [0, nan]]", "outline[3][1]: found nan; must be a number from -10000.0"),
            ("[18, 9], [0, 9]]", "[18, -inf], [0, 9]]", "outline[2][1]: found -inf; must be a number from"),
            ("[18, 9], [0, 9]]", "[18, 9], [0, 90000]]", "to 10000.0 metres, not millimetres"),
            ("[18, 9], [0, 9]]", "[18, 9], [0]]", "outline[3]: has 1 numbers; must have 2"),
            ("[18, 9], [0, 9]]", "[18, 9], \"a\"]", "outline[3]: found a string; must be a list of points"),
            (
                "outline = [[0, 0], [18, 0], [18, 9], [0, 9]]", "outline = [[0, 0], [1, 1]]",
                "has 2 elements; must have 3 to 200"
            ),
            ("kind = \"stairs\"", "kind = \"ladder\"", "must be \"stairs\" or \"lift\""),
            ("attenuation = 5.5", "attenuation = 61", "must be from 0.0 to 60.0 dB"),
            ("width = 1.2", "width = 0.1", "must be from 0.3 to 30.0 metres"),
            ("capacity = 40", "capacity = 0", "must be from 1 to 100000"),
            ("at = [5, 6]", "at = 5", "must be a list of 2 numbers"),
        ])
    func wrong(line: String, replacement: String, message: String) throws {
        #expect(Plans.text.contains(line))
        let problems = Plans.problems(Plans.text.replacing(line, with: replacement, maxReplacements: 1))
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `A floor that occurs twice is an error with both lines`() {
        let problems = Plans.problems(Plans.text + Plans.text)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("found campus/hb/2 again, first in line 1; each floor") == true, "\(problems)")
    }

    @Test func `An empty file lacks its floors`() {
        #expect(Plans.problems("").first?.contains("floors: is missing; must be a list of tables: [[floors]]") == true)
    }
}
