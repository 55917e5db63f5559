import BeaconModel
import FloorPlans
import InteractionStore
import MatcherCore
import OperatorText
import Testing

@testable import MatcherDaemon

@Suite("Configuration of live positions") struct LiveConfigurationTests {
    private static let plan = """
        [[floors]]
        site = "campus"
        building = "hb"
        floor = "1"
        outline = [[0, 0], [40, 0], [40, 10], [0, 10]]
        [[floors.rooms]]
        name = "HB 1.0"
        points = [[0, 0], [40, 0], [40, 10], [0, 10]]
        """

    private func parse(_ keys: String, _ more: String = "") throws -> MatcherConfiguration {
        try MatcherConfiguration.parse(
            "[localisation]\nplan = \"floors.toml\"\n\(keys)\n\(more)", path: "test.toml",
            readFile: { Array(($0.hasSuffix(".toml") ? Self.plan : "a-token-of-24-characters").utf8) })
    }

    private func problems(_ keys: String) -> [String] {
        do {
            _ = try parse(keys)
            return []
        } catch {
            return (error as? ConfigurationError)?.problems.map { "\($0)" } ?? ["\(error)"]
        }
    }

    @Test func `A plan is needed unless floors are drawn on the page`() throws {
        let page = "[api]\nlisten = \"127.0.0.1:8480\"\n[page]\nbase-url = \"http://127.0.0.1:8480\"\n"
        func parse(_ text: String) throws -> LocalisationSettings? {
            try MatcherConfiguration.parse(text, path: "test.toml", readFile: { _ in [] }).localisation
        }
        let settings = try #require(try parse(page + "[localisation]\n"))
        #expect(settings.planFile == nil)
        #expect(settings.plans.isEmpty)
        #expect(throws: ConfigurationError.self) { try parse("[localisation]\n") }
        let drawn = settings.with([
            DrawnFloor(path: "campus/hb/1", version: 1, toml: Self.plan, by: "Olga", at: 5),
            DrawnFloor(path: "campus/hb/2", version: 1, toml: "damaged", by: "Olga", at: 5),
        ])
        #expect(drawn.plans.map(\.path) == ["campus/hb/1"])
        #expect(drawn.drawnPaths == ["campus/hb/1"])
        #expect(drawn.warnings.count == 1)
        #expect(drawn.with([]) == settings)
    }

    @Test func `Nobody is located live unless it is configured`() throws {
        let settings = try #require(try parse("").localisation)
        #expect(!settings.live.isOn && !settings.publishes)
        let on = try #require(
            try parse("live = [\"badge\"]\nlive-uuids = [\"e2c56db5-dffb-48d2-b060-d0f5a71096e0\"]\npublish = true")
                .localisation)
        #expect(on.live.isOn && on.live.uuids.count == 1 && on.publishes)
    }

    @Test(arguments: ["phone", "exposure-notification", "ble-proximity", "further", "c19x", "herald"])
    func `No configuration locates phones`(kind: String) {
        let found = problems("live = [\"badge\", \"\(kind)\"]")
        #expect(found.count == 1)
        #expect(found.first?.contains("never located") == true, "\(found)")
    }

    @Test func `What cannot be is reported`() {
        #expect(problems("live = [\"cat\"]").first?.contains("must be one of badge") == true)
        #expect(problems("publish = true").first?.contains("live is off") == true)
        #expect(problems("live = [\"badge\"]\nlive-uuids = [\"x\"]").first?.contains("UUID") == true)
        #expect(problems("live = [\"badge\"]\nlive-uuids = []").first?.contains("1 to 64") == true)
    }

    @Test func `An operator is no officer unless the configuration says so`() throws {
        let table = "[[operators]]\nname = \"a\"\ntoken-file = \"a\"\n"
        #expect(try parse("", table).operators.map(\.role) == [.operator])
        #expect(try parse("", table + "role = \"officer\"\n").operators.map(\.role) == [.officer])
        #expect(throws: (any Error).self) { try parse("", table + "role = \"dean\"\n") }
    }

    @Test func `Signals are taken from the gateways whose records are stored`() throws {
        #expect(try parse("").signalFilters == ["beacons/v1/+/+/+/+/signals"])
        #expect(
            try parse("", "[mqtt]\nplaces = [\"campus/hb\", \"campus/ev/2/g1\"]").signalFilters
                == ["beacons/v1/campus/hb/+/+/signals", "beacons/v1/campus/ev/2/g1/signals"])
    }
}
