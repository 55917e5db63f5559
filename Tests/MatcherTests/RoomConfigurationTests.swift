import OperatorText
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite struct RoomConfigurationTests {
    private func parse(_ text: String) throws(ConfigurationError) -> MatcherConfiguration {
        try MatcherConfiguration.parse(text, path: "m.toml", readFile: { _ in [] })
    }

    @Test func `A room has places, a radius and a capacity`() throws {
        let rooms = try parse(
            """
            [[rooms]]
            name = "HB 2.11"
            beacons = ["E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7"]
            places = ["campus/main/1/east", "campus/main/1/east/node"]
            radius = "7.5m"
            capacity = 80
            [[rooms]]
            name = "Aula"
            """
        ).rooms
        #expect(
            rooms == [
                Room(
                    name: "HB 2.11",
                    places: [
                        "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7", "campus/main/1/east", "campus/main/1/east/node",
                    ], radius: 750, capacity: 80),
                Room(name: "Aula", places: [], radius: 600, capacity: nil),
            ])
    }

    @Test(
        "What is wrong with a room is said with its place",
        arguments: [
            ("", "rooms[0].name: is missing; must be 1 to 100 characters on one line"),
            ("name = \" \"", "rooms[0].name: found \" \"; must be 1 to 100 characters"),
            ("name = \"A\"\n[[rooms]]\nname = \"A\"", "rooms[1].name: found \"A\" again; each room must be unique"),
            ("name = \"A\"\nbeacons = [\"1/2\"]", "rooms[0].beacons[0]: found \"1/2\"; must be UUID/MAJOR/MINOR"),
            ("name = \"A\"\nplaces = [\"a/b/c\"]", "rooms[0].places[0]: found \"a/b/c\"; must be SITE/BUILDING"),
            ("name = \"A\"\nplaces = [\"a/b/c/d\", \"a/b/c/d\"]", "rooms[0].places[1]: found \"a/b/c/d\" again"),
            (
                "name = \"A\"\n[[rooms]]\nname = \" a\"",
                "rooms[1].name: found \" a\" again; each room must be unique"
            ),
            (
                "name = \"A\"\nplaces = [\"a/b/c/d\"]\n[[rooms]]\nname = \"B\"\nplaces = [\"a/b/c/e\", \"a/b/c/d\"]",
                "rooms[1].places[1]: found \"a/b/c/d\", which belongs to room \"A\"; each must belong to one room"
            ),
            (
                "name = \"A\"\nbeacons = [\"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7\"]\n[[rooms]]\nname = \"B\"\n"
                    + "beacons = [\"e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7\"]",
                "rooms[1].beacons[0]: found \"e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7\", which belongs to room \"A\""
            ),
            ("name = \"A\"\nplaces = []", "rooms[0].places: has 0 entries; must have 1 to 64, or be omitted"),
            ("name = \"A\"\nradius = \"6\"", "rooms[0].radius: found \"6\"; must be from 0.5m to 100m"),
            ("name = \"A\"\ncapacity = 0", "rooms[0].capacity: found 0; must be from 1 to 100000"),
            ("name = \"A\"\nsize = 4", "rooms[0].size: is unknown"),
        ])
    func wrong(text: String, problem: String) {
        do throws(ConfigurationError) {
            _ = try parse("[[rooms]]\n" + text)
            Issue.record("it was taken")
        } catch {
            #expect(error.problems.contains { $0.description.hasPrefix(problem) }, "\(error)")
        }
    }
}
