import FloorPlans
import OperatorText
import PlanImport
import Testing

@Suite struct CompanionImportTests {
    private static let yaml = """
        # comment
        map: {flip_x: false, flip_y: true, wall_thickness: 0.1, wall_color: "#ddd"}
        gps: {latitude: 38.9, longitude: -77.04, elevation: 146, rotation: 10, report: false}
        mqtt: {host: localhost}
        floors:
          - id: First_Floor
            name: First Floor
            bounds: [[0, 0, 0], [17, 18, 3]]
            rooms:
              - {name: Kitchen, color: "#eee", points: [[6, 0.8], [6, 4.5], [12.4, 7.4], [12.4, 1.75], [6, 0.8]]}
              - name: Living
                points:
                - [0, 10]
                - [5, 10]
                - [5, 18.5]
                - [0, 18.5]
          - id: second
            bounds: [[0, 0, 3], [17, 18, 3.5]]
        nodes:
          - {name: Garage, point: [1, 17.3, 0.5], floors: [First_Floor], stationary: true}
          - {name: Attic, point: [1, 1, 4.5], floors: [First_Floor, second]}
          - {name: Lost}
        """

    private static func imported(_ yaml: String) throws -> CompanionImport {
        try CompanionConverter.convert(
            YAMLTree.parse(Array(yaml.utf8), path: "c.yaml"), path: "c.yaml", site: "home", building: "house")
    }

    private static func problems(_ yaml: String) -> [String] {
        do {
            _ = try imported(yaml)
            return []
        } catch let error as ConfigurationError {
            return error.problems.map { $0.line(in: error.path) }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `Floors, rooms and nodes are taken over`() throws {
        let result = try Self.imported(Self.yaml)
        #expect(result.plans.map(\.path) == ["home/house/first-floor", "home/house/second"])
        let plan = try #require(result.plans.first)
        #expect(plan.name == "First Floor")
        #expect(plan.height == 3)
        #expect(plan.rooms.map(\.name) == ["Kitchen", "Living"])
        #expect(plan.rooms.map(\.polygon.points.count) == [4, 4])
        #expect(plan.outline == Plans.rectangle(0, 0, 17, 18.5))
        #expect(result.plans[1].elevation == 3)
        #expect(result.nodes.map(\.name) == ["Garage", "Attic"])
        #expect(result.nodes.map(\.floor) == ["home/house/first-floor", "home/house/second"])
        #expect(result.nodes.map(\.room) == ["Living", nil])
        #expect(result.nodes.map(\.configuration).last == "position = { x = 1, y = 1, z = 1.5 }")
    }

    @Test(
        "What is left out or changed is said",
        arguments: [
            "the floor \"First_Floor\" is called first-floor", "the outline of home/house/first-floor is larger",
            "the height of home/house/second, 0.5 m, is no height of a storey: it was set to 3 m",
            "the node \"Attic\" is listed for several floors", "the node \"Lost\" has no point",
            "not taken over of map, which is about display: wall_thickness, wall_color", "gps was not taken over",
            "not taken over of the file: mqtt", "doors do not exist in that format", "walls do not exist",
            "stairs and lifts do not exist", "nodes are no gateways",
        ])
    func notes(text: String) throws {
        #expect(try Self.imported(Self.yaml).notes.contains { $0.hasPrefix(text) })
    }

    @Test func `The plans that are written can be read`() throws {
        let plans = try Self.imported(Self.yaml).plans
        #expect(try Plans.parse(FloorPlanFile.text(of: plans)) == plans)
        #expect(FloorPlanCheck.problems(of: plans).allSatisfy { $0.severity == .warning })
    }

    @Test func `A map that is not flipped is told`() throws {
        let yaml = Self.yaml.replacing("flip_y: true", with: "flip_y: false")
        #expect(try Self.imported(yaml).notes.contains { $0.hasPrefix("the map was flipped") })
    }

    @Test(
        "What is no such configuration is an error with its line",
        arguments: [
            ("", "c.yaml: file: is empty; must be the configuration of ESPresense-companion"),
            ("nodes: []", "c.yaml:1:1: floors: is missing; must be a list of floors"),
            ("floors: 7", "c.yaml:1:1: floors: found \"7\"; must be a list of floors"),
            ("floors:\n- id: \"!\"", "c.yaml:2:1: floors[0].id: found \"!\"; must contain letters or digits"),
            ("floors:\n- id: a", "c.yaml:2:1: floors[0]: has neither bounds nor rooms; must have bounds"),
            ("floors:\n- id: a\n  bounds: [[0, 0], [.nan, 1]]", "c.yaml:3:1: floors[0].bounds: is no pair of points"),
            (
                "floors:\n- id: a\n  rooms: [{name: x, points: [[0, 0], [1, 0], [1, 1e9]]}]",
                "c.yaml:3:1: floors[0].rooms[0].points: is no list"
            ),
            ("floors:\n- {id: a, id: b}", "c.yaml:2:1: found the key \"id\" again; each must be unique"),
            ("floors: [", "did not find expected node content; must be YAML 1.1"),
            ("a: &x 1\nfloors: *x", "c.yaml:2:1: found an alias; must be written out"),
            ("? [a]\n: b", "found a list or table as a key; must be a text"),
            ("\u{7}", "must be YAML 1.1"),
        ])
    func wrong(yaml: String, message: String) {
        #expect(Self.problems(yaml).first?.contains(message) == true, "\(Self.problems(yaml))")
    }

    @Test func `Nested lists, many values and long texts are bounded`() {
        #expect(Self.problems(String(repeating: "[", count: 1_000_000)).first?.contains("more than 32 nested") == true)
        #expect(
            Self.problems("[" + String(repeating: "1,", count: 300_000)).first?.contains("more than 200000 values")
                == true)
        #expect(Self.problems(String(repeating: "#", count: 5_000_000)).first?.contains("has 5000000 bytes") == true)
        #expect(
            Self.problems("a: " + String(repeating: "x", count: 100_000)).first?.contains("a text of 100000 bytes")
                == true)
        let laughs = "a: &a [x,x]\n" + (0..<30).map { "b\($0): [*a,*a]\n" }.joined()
        #expect(Self.problems(laughs).first?.contains("found an alias") == true)
    }

    @Test func `Bytes that are no UTF-8 are an error`() {
        #expect(throws: ConfigurationError.self) {
            _ = try YAMLTree.parse([0x61, 0x3A, 0x20, 0xFF, 0xFE], path: "c.yaml")
        }
        #expect(throws: ConfigurationError.self) { _ = try YAMLTree.parse([], path: "c.yaml") }
    }
}
