import InteractionStore
import TestSupport
import TestValues
import Testing

/// The commands of floor plans, as people call them.
@Suite(.timeLimit(.minutes(10))) struct FloorsCommandTests {
    private static let folder = Repository.root + "/Tests/MatcherTests/Floors/"

    private static func plan() throws -> String {
        String(decoding: try Repository.read("Tests/MatcherTests/Floors/floors.toml"), as: UTF8.self)
    }

    /// Writes a configuration with a plan, and fills its store with the records of the example.
    private static func prepared(_ directory: TemporaryDirectory, plan: String) async throws -> String {
        _ = try directory.write("floors.toml", plan)
        let file = try directory.write(
            "matcher.toml", "[store]\nlocation = \"s.sqlite\"\n[localisation]\nplan = \"floors.toml\"\n")
        let records = Repository.root + "/Tests/MatcherTests/Floors/records.jsonl"
        let result = try await TestMatcher.run(
            ["import", records, "--store", directory.path + "/s.sqlite", "--as-of", "2026-11-03"])
        #expect(result.status == 0, "\(result.errorOutput)")
        return file
    }

    @Test func `A plan is checked together with the positions that gateways have sent`() async throws {
        let directory = try TemporaryDirectory()
        let file = try await Self.prepared(directory, plan: Self.plan())
        let good = try await TestMatcher.run(["floors", "check", "--config", file])
        #expect(good.status == 0)
        #expect(
            good.errorOutput.last?.hasSuffix("floors.toml is valid: 1 floor, 3 rooms, 2 doors, 3 receivers, 1 warning")
                == true)
        // The receiver in the corridor is in the room then.
        _ = try directory.write("floors.toml", Self.plan().replacing("[7, 6]", with: "[7, 7]"))
        let other = try await TestMatcher.run(["floors", "check", directory.path + "/floors.toml"])
        #expect(other.status == 78)
        #expect(other.errorOutput.contains { $0.contains("overlaps room HB 2.11 by") }, "\(other.errorOutput)")
    }

    @Test func `Floors that were drawn on the page count instead of those of the file`() async throws {
        let directory = try TemporaryDirectory()
        let file = try await Self.prepared(directory, plan: Self.plan())
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        func draw(_ toml: String, base: Int64) throws {
            let floor = DrawnFloor(path: "campus/hb/2", toml: toml, by: "Olga", at: 0)
            #expect(try store.save([DrawnFloor.Change(floor, base: base)], audit: []) == .done)
        }
        try draw(Self.plan().replacing("HB 2.11", with: "Drawn room"), base: 0)
        let table = try await TestMatcher.run(["floors", "show", "2", "--config", file])
        #expect(table.output.contains { $0.hasPrefix("Drawn room") }, "\(table.output)")
        let check = try await TestMatcher.run(["floors", "check", "--config", file])
        #expect(check.errorOutput.contains { $0.contains("drawn on the page") }, "\(check.errorOutput)")
        try draw("damaged", base: 1)
        let damaged = try await TestMatcher.run(["floors", "show", "2", "--config", file])
        #expect(damaged.output.contains { $0.hasPrefix("HB 2.11") }, "\(damaged.output)")
        #expect(damaged.errorOutput.contains { $0.contains("cannot be read") }, "\(damaged.errorOutput)")
    }

    @Test func `A room is a row, and a picture has the receivers`() async throws {
        let directory = try TemporaryDirectory()
        let file = try await Self.prepared(directory, plan: Self.plan())
        let table = try await TestMatcher.run(["floors", "show", "2", "--config", file])
        #expect(
            table.output == [
                "ROOM         AREA  CAPACITY  DOORS  RECEIVERS", "HB 2.11   42.0 m²        40      1  gw-211",
                "HB 2.12   66.0 m²                1  gw-212", "corridor  54.0 m²                2  gw-cor",
            ], "\(table.output)")
        let picture = try await TestMatcher.run(["floors", "show", "hb/2", "--svg", "--config", file])
        #expect(picture.output.contains { $0.contains("data-receiver=\"campus/hb/2/gw-cor\"") })
        let written = try await TestMatcher.run(
            ["floors", "show", "2", "--svg", "-o", directory.path + "/f.svg", "--plan", Self.folder + "floors.toml"])
        #expect(written.status == 0, "\(written.errorOutput)")
        let unknown = try await TestMatcher.run(["floors", "show", "9", "--config", file])
        #expect(unknown.status == 64)
        #expect(unknown.errorOutput.contains { $0.contains("there is no plan of the floor \"9\"") })
        let list = try await TestMatcher.run(["floors", "--json", "--config", file])
        #expect(
            list.output == [
                #"{"area":162,"doors":2,"floor":"campus/hb/2","height":3.2,"name":"Level 2","receivers":3,"rooms":3,"z":6.4}"#
            ], "\(list.output)")
    }

    @Test func `A configuration whose plan contradicts itself is refused with the line of the plan`() async throws {
        let directory = try TemporaryDirectory()
        let file = try await Self.prepared(directory, plan: Self.plan())
        let good = try await TestMatcher.run(["run", "--check", "--config", file])
        #expect(good.status == 0)
        #expect(good.errorOutput.contains { $0.contains("stairs east: is on this floor only") })
        _ = try directory.write("floors.toml", Self.plan().replacing("at = [12, 6]", with: "at = [12, 3]"))
        let bad = try await TestMatcher.run(["run", "--check", "--config", file])
        #expect(bad.status == 78)
        #expect(
            bad.errorOutput.contains {
                $0.contains(
                    "floors.toml:31:10: campus/hb/2, door at 12.00, 3.00: is not on a wall or the edge of a room")
            }, "\(bad.errorOutput)")
        _ = try directory.write("floors.toml", "floors = 7")
        #expect(try await TestMatcher.run(["run", "--check", "--config", file]).status == 78)
    }

    @Test func `Receivers without positions are placed by what is heard, and a moved one is named`() async throws {
        let directory = try TemporaryDirectory()
        let store = directory.path + "/heard.sqlite"
        let imported = try await TestMatcher.run(
            ["import", Self.folder + "heard.jsonl", "--store", store, "--as-of", "2026-11-03"])
        #expect(imported.status == 0, "\(imported.errorOutput)")
        let arguments = ["floors", "suggest", "--store", store, "--from", "2026-11-02", "--to", "2026-11-02"]
        let plan = ["--plan", Self.folder + "library.toml"]
        let result = try await TestMatcher.run(arguments + plan)
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(result.output.first?.hasPrefix("RECEIVER  ROOM") == true, "\(result.output)")
        #expect(result.output.contains { $0.hasPrefix("campus/library/1/archive: position = { x = 3") })
        #expect(
            result.errorOutput.contains {
                $0.hasPrefix("campus/library/1/cellar: not placed: it hears no other receiver's beacon")
            }, "\(result.errorOutput)")
        #expect(result.errorOutput.contains { $0.hasPrefix("campus/library/1/desk: states 3.0, 8.8; what it hears") })
        let documents = try await TestMatcher.run(arguments + plan + ["--json", "1"])
        #expect(documents.output.count == 5, "\(documents.output)")
        #expect(documents.output.count { $0.contains(#""state":"suggested""#) } == 3)
        #expect(documents.output.count { $0.contains(#""reason":"unheard""#) } == 1)
        #expect(documents.output.count { $0.contains(#""state":"disagrees""#) } == 1)
    }

    @Test func `Suggestions need a store, a plan without errors, and readings`() async throws {
        let directory = try TemporaryDirectory()
        let plan = ["--plan", Self.folder + "library.toml"]
        let missing = directory.path + "/none.sqlite"
        #expect(try await TestMatcher.run(["floors", "suggest", "--store", missing] + plan).status == 69)
        #expect(try await TestMatcher.run(["floors", "suggest"] + plan).status == 64)
        let file = try await Self.prepared(directory, plan: Self.plan())
        let silent = try await TestMatcher.run(["floors", "suggest", "--config", file])
        #expect(silent.status == 69)
        #expect(silent.errorOutput.contains { $0.contains("no receiver heard the beacon of another one") })
        _ = try directory.write("bad.toml", Self.plan().replacing("at = [12, 6]", with: "at = [12, 3]"))
        let bad = try await TestMatcher.run(
            ["floors", "suggest", "--config", file, "--plan", directory.path + "/bad.toml"])
        #expect(bad.status == 78, "\(bad.errorOutput)")
    }

    @Test func `The plan of another program is imported, and nothing is overwritten`() async throws {
        let directory = try TemporaryDirectory()
        let output = directory.path + "/floors.toml"
        let arguments = [
            "floors", "import", Self.folder + "companion.yaml", "--site", "home", "--building", "house", "-o", output,
        ]
        let result = try await TestMatcher.run(arguments)
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(result.errorOutput.contains { $0.contains("doors do not exist in that format") })
        #expect(result.errorOutput.contains { $0.contains("position = { x = 11, y = 3, z = 1.8 }") })
        #expect(try await TestMatcher.run(["floors", "check", output]).status == 0)
        #expect(try await TestMatcher.run(arguments).status == 64)
        let damaged = try directory.write("c.yaml", "floors: [")
        let refused = try await TestMatcher.run(["floors", "import", damaged, "--site", "a", "--building", "b"])
        #expect(refused.status == 65)
        #expect(
            try await TestMatcher.run(["floors", "import", damaged, "--site", "A", "--building", "b"]).status == 64)
    }

    @Test func `Without plans it is said what to specify`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("matcher.toml", "")
        #expect(try await TestMatcher.run(["floors", "check"]).status == 64)
        let without = try await TestMatcher.run(["floors", "list", "--config", file])
        #expect(without.status == 78)
        #expect(without.errorOutput.contains { $0.contains("has no [localisation] table") })
    }
}
