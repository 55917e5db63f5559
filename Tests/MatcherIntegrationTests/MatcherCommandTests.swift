import BeaconModel
import Glibc
import InteractionStore
import Matching
import OperatorText
import RecordContract
import SystemIO
import TestSupport
import Testing

/// The program as people call it.
@Suite(.timeLimit(.minutes(10))) struct MatcherCommandTests {
    private static let uuid = BadgeRecords.uuid

    private static func lines(_ stays: [(badge: UInt16, minutes: ClosedRange<Int64>, metres: Double)]) -> String {
        BadgeRecords.lines(stays.map { .init(badge: $0.badge, minutes: $0.minutes, metres: $0.metres) })
    }

    private static func badge(_ minor: UInt16) -> String { BadgeRecords.badge(minor) }
    private static let asOf = ["--as-of", "2026-11-02T12:00:00Z"]

    @Test func `Who was near somebody is one line of JSON, with why`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write(
            "records.jsonl",
            Self.lines([(1, 0...20, 2), (2, 10...30, 1), (3, 0...40, 5), (4, 40...50, 1)]))
        let imported = try await TestMatcher.run(["import", file] + store + Self.asOf)
        #expect(imported.status == 0)
        #expect(imported.output == ["4 records: 4 new"])
        let window = ["--from", "2026-11-02", "--to", "2026-11-03T00:00:00Z"]
        let found = try await TestMatcher.run(
            ["exposures", "--positive", Self.badge(1), "--json"] + window + store)
        #expect(found.status == 0)
        let line = try #require(found.output.first)
        #expect(found.output.count == 1)
        let exposure = try JSON.decode(Told.self, from: Array(line.utf8))
        #expect(exposure.subject.id == "\(Self.uuid)/1/2")
        #expect(exposure.beacon?.minor == 9)
        #expect(exposure.place?.room == "101")
        #expect(exposure.place?.gateway == "east")
        #expect([exposure.start, exposure.end] == ["2026-11-02T08:10:00Z", "2026-11-02T08:20:00Z"])
        #expect(exposure.minutes == 10)
        // 1.6 to 2.5 m and 0.8 to 1.25 m: from 1.6 - 1.25 = 0.35 to 2.5 + 1.25 = 3.75 m.
        #expect([exposure.distance.lower, exposure.distance.upper] == [0.35, 3.75])
        #expect(exposure.probability == 1)
        #expect(exposure.policy.name == "six-metre-five-minute")
        #expect(
            exposure.explanation.summary
                == "together for 10.0 min at 101; between 0.35 m and 3.75 m apart, by their distances from the beacon; "
                + "within 6 m with a probability of 100 %")
        let table = try await TestMatcher.run(["exposures", "--positive", Self.badge(1)] + window + store)
        #expect(table.output.count == 2)
        #expect(
            table.errorOutput == [
                "1 exposure of 1 subject by six-metre-five-minute, version 2, from 2026-11-02 00:00 to 2026-11-03 "
                    + "00:00 UTC; --json explains each"
            ])
    }

    private struct Told: Decodable {
        struct Subject: Decodable { var id: String }
        struct Beacon: Decodable { var minor: Int }
        struct Place: Decodable { var gateway: String, room: String? }
        struct Distance: Decodable { var lower: Double, upper: Double }
        struct Policy: Decodable { var name: String }
        struct Explanation: Decodable { var summary: String }
        var subject: Subject
        var beacon: Beacon?
        var place: Place?
        var start: String
        var end: String
        var minutes: Double
        var distance: Distance
        var probability: Double
        var policy: Policy
        var explanation: Explanation
    }

    @Test func `A file may be imported twice, and its damaged lines are said by number`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let lines = Self.lines([(1, 0...20, 2), (2, 10...30, 1), (3, 0...20, 2)])
        let good = try directory.write("good.jsonl", lines)
        var parts = lines.split(separator: "\n").map(String.init)
        parts.insert(contentsOf: ["{\"half\":", ""], at: 2)
        let file = try directory.write("records.jsonl", parts.joined(separator: "\n"))
        for counts in ["3 records: 3 new", "3 records: 0 new, 3 stored already"] {
            let imported = try await TestMatcher.run(["import", file] + store + Self.asOf)
            #expect(imported.status == 65)
            #expect(imported.output == [counts])
            #expect(imported.errorOutput.first == "line 3: is not JSON, or has an impossible number")
        }
        #expect(try await TestMatcher.run(["import", good] + store + Self.asOf).status == 0)
        let found = try await TestMatcher.run(
            ["exposures", "--positive", Self.badge(1), "--json", "--from", "2026-11-02", "--to", "2026-11-03"] + store)
        #expect(found.output.count == 2)
        let old = try await TestMatcher.run(["import", good, "--as-of", "2027-11-02"] + store)
        #expect(old.output == ["3 records: 0 new, 3 older than the retention"])
    }

    @Test func `Erasing says what was erased and what was searched, and it stays away`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write("records.jsonl", Self.lines([(1, 0...20, 2), (2, 10...30, 1)]))
        _ = try await TestMatcher.run(["import", file] + store + Self.asOf)
        let erased = try await TestMatcher.run(["erase", Self.badge(2), "--yes"] + store)
        #expect(erased.status == 0)
        #expect(
            erased.output.prefix(3) == [
                "\(Self.badge(2)): 1 interaction, 2026-11-02 08:10 to 2026-11-02 08:30 UTC, 0 minutes of readings, 0 exposures",
                "erased 1 interactions and 0 minutes of readings of \(Self.badge(2))", "rows that name it now: 0",
            ])
        #expect(erased.output.dropFirst(3).allSatisfy { $0.hasSuffix(": does not hold the id") })
        #expect(erased.output.count == 5)
        // A name that was mistyped looks like one of whom nothing is left.
        let again = try await TestMatcher.run(["erase", Self.badge(2), "--yes"] + store)
        #expect(again.status == 0)
        #expect(again.errorOutput.first?.hasPrefix("note: the store has no data about \(Self.badge(2))") == true)
    }

    // It had looked at the new carrier's stays, and said that nobody was exposed.
    @Test(arguments: [["report", badge(2), "--test-date", "2026-11-02"], ["exposures", "--positive", badge(2)]])
    func `Nobody is told what follows from somebody who was erased since`(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write("records.jsonl", Self.lines([(1, 0...20, 2), (2, 10...30, 1)]))
        _ = try await TestMatcher.run(["import", file] + store + Self.asOf)
        #expect(try await TestMatcher.run(["erase", Self.badge(2), "--yes"] + store).status == 0)
        let refused = try await TestMatcher.run(arguments + store + Self.asOf)
        #expect(refused.status == 69, "\(refused)")
        #expect(refused.errorOutput.first?.hasPrefix("error: \(Self.badge(2)) was erased ") == true, "\(refused)")
        let agreed = try await TestMatcher.run(arguments + ["--unheard"] + store + Self.asOf)
        #expect(agreed.status == 0, "\(agreed)")
    }

    // It holds everybody's tracks, and the key of all secrets.
    @Test func `A store that everybody may read is refused`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let file = try directory.write("records.jsonl", Self.lines([(1, 0...20, 2)]))
        _ = try await TestMatcher.run(["import", file, "--store", path] + Self.asOf)
        chmod(path, 0o644)
        let refused = try await TestMatcher.run(["secret", Self.badge(1), "--store", path])
        #expect(refused.status == 78)
        #expect(refused.errorOutput.first == "error: the store \(path) can be read by everyone (mode 0644)")
        let configuration = try directory.write(
            "m.toml", "[store]\nlocation = \"\(path)\"\n[mqtt]\nhost = \"127.0.0.1\"\n")
        #expect(try await TestMatcher.run(["run", "--check", "--config", configuration]).status == 78)
        chmod(path, 0o640)
        #expect(try await TestMatcher.run(["run", "--check", "--config", configuration]).status == 0)
        #expect(try await TestMatcher.run(["secret", Self.badge(1), "--store", path]).status == 0)
    }

    @Test func `Without anybody to ask, erasing says what it would erase and needs --yes`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write("records.jsonl", Self.lines([(1, 0...20, 2), (2, 10...30, 1)]))
        _ = try await TestMatcher.run(["import", file] + store + Self.asOf)
        let refused = try await TestMatcher.run(["erase", Self.badge(2)] + store)
        #expect(refused.status == 64)
        #expect(
            refused.output == [
                "\(Self.badge(2)): 1 interaction, 2026-11-02 08:10 to 2026-11-02 08:30 UTC, 0 minutes of readings, 0 exposures"
            ])
        #expect(refused.errorOutput.joined(separator: " ").contains("add --yes"))
        #expect(try InteractionStore.count(.sqlite(directory.path + "/s.sqlite")).all == 2)
    }

    @Test(arguments: [
        ["erase", badge(2)], ["exposures", "--positive", badge(2)], ["report", badge(2)], ["secret", badge(2)],
    ])
    func `A store that was mistyped isn't made, and proves nothing`(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/typo.sqlite"
        for _ in 0..<2 {
            let result = try await TestMatcher.run(arguments + ["--store", path])
            #expect(result.status == 69)
            #expect(result.errorOutput.first == "error: there is no store at \(path)")
        }
    }

    @Test func `Policies are listed, shown and checked`() async throws {
        let list = try await TestMatcher.run(["policy", "list"])
        #expect(list.output.prefix(6).count == 6 && list.output[0].hasPrefix("NAME"))
        // Each says how often it was right.
        for name in Policy.shippedNames {
            #expect(list.output.contains { $0.hasPrefix(name) && $0.contains(" % ") && $0.hasSuffix(" %") }, "\(name)")
        }
        #expect(list.errorOutput.contains { $0.contains("take the list as a ranking, not as a verdict") })
        let documents = try await TestMatcher.run(["policy", "list", "--json"])
        #expect(documents.output.count == 5)
        #expect(documents.output.allSatisfy { $0.contains(#""name":""#) && $0.contains(#""precision":0."#) })
        let shown = try await TestMatcher.run(["policy", "show", "en-v2"])
        let directory = try TemporaryDirectory()
        let file = try directory.write("p.toml", shown.output.joined(separator: "\n"))
        let good = try await TestMatcher.run(["policy", "check", file])
        #expect(good.errorOutput == ["\(file) is valid: en-v2, version 3"])
        let text = shown.output.joined(separator: "\n").replacing("radius = \"10m\"", with: "radius = \"10\"")
        let bad = try await TestMatcher.run(["policy", "check", try directory.write("b.toml", text)])
        #expect(bad.status == 78)
        #expect(
            bad.errorOutput.contains {
                $0.contains("contact.otherwise.radius: found \"10\"; must be from 0.1m to 100m")
            })
        #expect(try await TestMatcher.run(["policy", "show", "none"]).status == 64)
    }

    @Test(
        "Wrong usage says what is meant",
        arguments: [
            (["exposures", "--store", "/tmp/x"], "Missing expected argument '--positive <subject> ...'"),
            (["exposures", "--positive", "Badge:1", "--store", "/tmp/x"], "must be KIND:ID"),
            (["exposures", "--positive", "phone:1"], "specify the store with either --config FILE or --store"),
            (
                ["erase", "phone:1", "--store", "a", "--config", "b"],
                "specify the store with either --config FILE or --store"
            ),
            (["erase", "--store", "a"], "Specify either a subject, KIND:ID, or --number"),
            (["erase", "phone:1", "--number", "1", "--store", "a"], "Specify either a subject, KIND:ID, or --number"),
            // 35 characters, a letter O, and a number that no beacon has.
            (["erase", "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e/1/2", "--store", "a"], "the UUID has 31 digits"),
            (
                ["secret", "badge:e2c56db5-dffb-48d2-b060-d0f5a71096eO/1/2", "--store", "a"],
                "\"O\" is not a hexadecimal"
            ),
            (["report", "badge:xyz", "--store", "a"], "must be badge:UUID/MAJOR/MINOR"),
            (["exposures", "--positive", "\(badge(1))00000", "--store", "a"], "the two numbers from 0 to 65535"),
            (["report", "--store", "a"], "Specify a positive subject, KIND:ID, or --withdraw"),
            (
                ["report", badge(1), "--withdraw", "x", "--store", "a"],
                "Specify a positive subject, KIND:ID, or --withdraw"
            ),
            (["report", badge(1), "--test-date", "22.11.2026", "--store", "a"], "must be a day: 2026-11-02"),
            (["import", "x", "--store", "/tmp/x", "--as-of", "yesterday"], "must be a day, 2026-11-02, or a time"),
        ])
    func usage(arguments: [String], text: String) async throws {
        let result = try await TestMatcher.run(arguments)
        #expect(result.status == 64)
        #expect(result.errorOutput.joined(separator: " ").contains(text), "\(result.errorOutput)")
    }

    @Test func `A location that can't be read isn't shown, and no file is made of it`() async throws {
        let directory = try TemporaryDirectory()
        let records = try directory.write("r.jsonl", "")
        let result = try await TestMatcher.run(["import", records, "--store", "pgsql://m:sesame@127.0.0.1/x"])
        #expect(result.status == 64)
        let said = (result.output + result.errorOutput).joined(separator: " ")
        #expect(said.contains("--store must be the path of a file, or a connection string"), "\(said)")
        #expect(!said.contains("sesame"), "\(said)")
    }

    @Test func `A configuration is checked without starting`() async throws {
        let directory = try TemporaryDirectory()
        let good = try directory.write("m.toml", "[store]\nlocation = \"/tmp/nowhere/s.sqlite\"\n")
        let checked = try await TestMatcher.run(["run", "--config", good, "--check"])
        #expect(checked.status == 0)
        #expect(checked.errorOutput == ["\(good) is valid: stores beacons/v1/# in /tmp/nowhere/s.sqlite"])
        let started = try await TestMatcher.run(["run", "--config", good])
        #expect(started.status == 74)
        #expect(started.errorOutput.first?.hasPrefix("error: cannot open the store /tmp/nowhere/s.sqlite") == true)
        let missing = try await TestMatcher.run(["run", "--config", directory.path + "/none.toml"])
        #expect(missing.status == 78)
    }
}
