import BeaconModel
import InteractionStore
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// Exposures by the program as people call it.
@Suite(.timeLimit(.minutes(10))) struct ExposureCommandTests {
    private struct Told: Decodable {
        struct Subject: Decodable, Equatable { var kind: String, id: String }
        struct Policy: Decodable, Equatable { var name: String, version: String }
        struct Range: Decodable, Equatable { var lower: Double, upper: Double }
        struct Window: Decodable, Equatable {
            var place: String?
            var positivePlace: String?
            var separation: Double?
            var start: String
            var end: String
            var distance: Double
            var positiveDistance: Double
            var between: Range
            var probability: Double
            var weight: Double
            var minutes: Double
        }
        struct Explanation: Decodable {
            var summary: String
            var windows: [Window]
            var omittedWindows: Int
            var infectiousness: Double
            var reportType: Double
            var missing: [String]
        }
        var subject: Subject
        var positive: [Subject]
        var minutes: Double
        var sharedMinutes: Double
        var policy: Policy
        var explanation: Explanation
    }

    private static func exposures(_ badge: UInt16, _ more: [String]) -> [String] {
        ["exposures", "--positive", BadgeRecords.badge(badge), "--from", "2026-11-02", "--to", "2026-11-03"] + more
    }

    // Both half a metre from the beacon, 0.4 to 0.63 m: at most 1.26 m from each other, where the attenuation is below
    // 63 dB (3.1 m), which counts 0.8. Of 45 shared minutes the windows are 30 and 15; on the day of the onset the factor
    // is 1.6: 45 * 0.8 * 1.6 = 57.6 = 38.4 + 19.2.
    @Test func `A verdict explains itself: its windows, weights, policy and what was missing`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store(
            [
                .init(badge: 1, minutes: 0...60, metres: 0.5), .init(badge: 2, minutes: 15...90, metres: 0.5),
            ], in: directory)
        let options = ["--policy", "cwa-1.15", "--json"] + store
        let result = try await TestMatcher.run(Self.exposures(1, options + ["--onset", "2026-11-02"]))
        #expect(result.status == 0 && result.output.count == 1)
        let told = try JSON.decode(Told.self, from: Array(try #require(result.output.first).utf8))
        #expect(told.subject == .init(kind: "badge", id: "\(BadgeRecords.uuid)/1/2"))
        #expect(told.positive == [.init(kind: "badge", id: "\(BadgeRecords.uuid)/1/1")])
        #expect((told.minutes, told.sharedMinutes) == (57.6, 45))
        #expect(told.policy == .init(name: "cwa-1.15", version: "3"))
        let place = "\(BadgeRecords.uuid)/9/9"
        func window(_ start: String, _ end: String, _ minutes: Double) -> Told.Window {
            .init(
                place: place, start: "2026-11-02T\(start):00Z", end: "2026-11-02T\(end):00Z", distance: 0.5,
                positiveDistance: 0.5, between: .init(lower: 0, upper: 1.26), probability: 1, weight: 0.8,
                minutes: minutes)
        }
        #expect(
            told.explanation.windows == [window("08:15", "08:45", 38.4), window("08:45", "09:00", 19.2)])
        #expect(told.explanation.omittedWindows == 0)
        #expect((told.explanation.infectiousness, told.explanation.reportType) == (1.6, 1))
        #expect(told.explanation.missing == [])
        #expect(told.explanation.summary.contains("infectiousness of the day 1.60"))
        let unknown = try await TestMatcher.run(Self.exposures(1, options))
        let other = try JSON.decode(Told.self, from: Array(try #require(unknown.output.first).utf8))
        #expect(other.minutes == 36)
        #expect(
            other.explanation.missing == [
                "neither the onset of symptoms nor the day of the test is known: the policy's default is used"
            ])
    }

    // 6 minutes count 4.8, which is no risk by cwa-1.15; 10 count 8, which is green.
    @Test func `Who stays below a policy's first risk is shown when that is asked for`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store(
            [
                .init(badge: 1, minutes: 0...60, metres: 0.5), .init(badge: 2, minutes: 0...6, metres: 0.5),
                .init(badge: 3, minutes: 20...30, metres: 0.5),
            ], in: directory)
        let options = ["--policy", "cwa-1.15"] + store
        let found = try await TestMatcher.run(Self.exposures(1, options))
        #expect(found.output.count == 2 && found.output.last?.contains("/1/3 ") == true)
        #expect(
            found.errorOutput == [
                "1 more stays below the risk threshold of cwa-1.15, by this report alone; --all shows it",
                "1 exposure of 1 subject by cwa-1.15, version 3, from 2026-11-02 00:00 to 2026-11-04 00:00 UTC; "
                    + "--json explains each",
            ])
        let all = try await TestMatcher.run(Self.exposures(1, options + ["--all"]))
        #expect(all.output.count == 3)
        #expect(
            all.errorOutput == [
                "2 exposures of 2 subjects by cwa-1.15, version 3, from 2026-11-02 00:00 to 2026-11-04 00:00 UTC; "
                    + "--json explains each"
            ])
    }

    @Test func `That a policy has nothing follow from a self-report is said of exposures too`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1)], in: directory)
        let note = "six-metre-five-minute ignores unconfirmed reports"
        for more in [[], ["--json"]] {
            let result = try await TestMatcher.run(Self.exposures(1, ["--self-reported"] + more + store))
            #expect(result.status == 0 && result.output.isEmpty)
            #expect(result.errorOutput.contains(note), "\(result.errorOutput)")
        }
        #expect(try await !TestMatcher.run(Self.exposures(1, store)).errorOutput.contains(note))
    }

    @Test func `A policy that isn't known is said with those that are`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store([.init(badge: 1, minutes: 0...60, metres: 0.5)], in: directory)
        let result = try await TestMatcher.run(Self.exposures(1, ["--policy", "other"] + store))
        #expect(result.status == 64)
        #expect(result.errorOutput.joined(separator: " ").contains("cwa-1.15, en-v2, further"))
    }

    // 08:10 to 08:20: the day ends when the next begins, and in Montreal it begins at 05:00 UTC.
    @Test func `A day is whole, and one of the site's time zone`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 10...30, metres: 1)],
            in: directory)
        let configuration = try directory.write(
            "m.toml",
            """
            [site]
            time-zone = "America/Montreal"
            [store]
            location = "\(directory.path)/s.sqlite"
            """)
        for (options, zone) in [(store, "00:00 to 2026-11-03 00:00 UTC"), (["--config", configuration], "Montreal")] {
            let day = ["--from", "2026-11-02", "--to", "2026-11-02"]
            let found = try await TestMatcher.run(["exposures", "--positive", BadgeRecords.badge(1)] + day + options)
            #expect(found.status == 0 && found.output.count == 2, "\(found.errorOutput)")
            #expect(found.errorOutput.last?.contains(zone) == true)
        }
        // A UUID is known without its hyphens as well.
        let plain = "badge:\("\(BadgeRecords.uuid)".replacing("-", with: ""))/1/1"
        let found = try await TestMatcher.run(
            ["exposures", "--positive", plain, "--from", "2026-11-02", "--to", "2026-11-02"] + store)
        #expect(found.output.count == 2)
    }

    @Test(
        "What can't be answered is no all-clear",
        arguments: [
            (["--from", "2037-11-02"], 64, "--from 2037-11-02 00:00 UTC is in the future"),
            (["--to", "2037-11-02"], 64, "--to 2037-11-02 00:00 UTC is in the future"),
            (["--from", "2026-11-02", "--onset", "2025-11-02"], 64, "--onset 2025-11-02 is more than 30 days before"),
            (["--from", "2026-11-02", "--onset", "2037-11-02"], 64, "--onset 2037-11-02 is in the future"),
            (["--from", "2026-11-02", "--test-date", "2037-11-02"], 64, "--test-date 2037-11-02 is in the future"),
            (
                ["--from", "2026-11-02", "--to", "2026-11-02", "--policy", "en-v2", "--onset", "2026-11-20"], 64,
                "--onset 2026-11-20 makes nobody infectious by en-v2 from 2026-11-02 to 2026-11-03"
            ),
            // The store knows the 2nd alone.
            (
                ["--from", "2026-10-30", "--to", "2026-11-01"], 69,
                "the store has no records from 2026-10-30 00:00 to 2026-11-02 00:00 UTC"
            ),
            (["--positive", "\(BadgeRecords.badge(77))"], 64, "/1/77 was never received by a gateway of this store"),
        ])
    func refusal(options: [String], status: Int32, text: String) async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 10...30, metres: 1)],
            in: directory)
        let result = try await TestMatcher.run(["exposures", "--positive", BadgeRecords.badge(1)] + options + store)
        #expect(result.status == status, "\(result.errorOutput)")
        #expect(result.errorOutput.joined(separator: " ").contains(text), "\(result.errorOutput)")
        #expect(result.output.isEmpty)
    }

    @Test func `Who was heard at other times alone is said to have been`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 60...90, metres: 1)],
            in: directory)
        let late = ["--from", "2026-11-02T08:30:00Z", "--to", "2026-11-02T10:00:00Z"]
        let result = try await TestMatcher.run(["exposures", "--positive", BadgeRecords.badge(1)] + late + store)
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(
            result.errorOutput.first
                == "\(BadgeRecords.badge(1)) was not received from 2026-11-02 08:30 to 2026-11-02 10:00 UTC, but was "
                + "at other "
                + "times")
    }

    // 23:40 to 00:20 UTC, 40 minutes at most 1.26 m apart: a contact as much as an hour earlier.
    @Test(arguments: Backend.installed, [Int64(940), 880])
    func `No midnight divides a close contact`(backend: Backend, start: Int64) async throws {
        try await backend.with { location, _, directory in
            let configuration = try TestMatcher.configuration(location, port: 1, in: directory)
            let stays: [BadgeRecords.Stay] = [1, 2].map {
                .init(badge: $0, minutes: start...(start + 40), metres: 0.5)
            }
            let file = try directory.write("records.jsonl", BadgeRecords.lines(stays))
            let options = ["--config", configuration, "--as-of", "2026-11-03T12:00:00Z"]
            #expect(try await TestMatcher.run(["import", file] + options).status == 0)
            let found = try await TestMatcher.run(
                ["exposures", "--positive", BadgeRecords.badge(1), "--policy", "two-metre-thirty", "--json"] + options)
            let told = try JSON.decode(Told.self, from: Array(try #require(found.output.first).utf8))
            #expect(told.minutes == 40 && told.sharedMinutes == 40)
        }
    }

    // Its records are of 2026-11-02, and so is its present time: it works on any day.
    @Test func `The guide's health officer sees what the guide says`() async throws {
        let guide = try String(
            decoding: FileContents.read("docs/guide/matcher/exposures.md", limit: 1_000_000), as: UTF8.self)
        let directory = try TemporaryDirectory()
        var said: [(command: String, output: [String])] = []
        var commands: [String] = []
        for line in guide.split(separator: "\n", omittingEmptySubsequences: false) {
            if commands.last?.hasSuffix("\\") == true, let last = commands.popLast() {
                commands.append(String(last.dropLast()) + String(line.drop { $0 == " " }))
            } else if line.hasPrefix("    beacon-matcher "), line.contains("/tmp/store.sqlite") || line.hasSuffix("\\")
            {
                commands.append(line.dropFirst(19).description)
            }
        }
        for command in commands where command.contains("/tmp/store.sqlite") {
            let arguments = command.replacing("/tmp/store.sqlite", with: directory.path + "/store.sqlite")
                .split(separator: " ").map(String.init)
            let result = try await TestMatcher.run(arguments)
            #expect(result.status == 0, "\(command): \(result.errorOutput)")
            said.append((command, result.output))
            if arguments[0] == "exposures" || arguments[0] == "report" {
                // But for the report's random id.
                for line in result.output.dropFirst(arguments[0] == "report" ? 1 : 0) + result.errorOutput {
                    #expect(guide.contains(line), "\(line)")
                }
            }
        }
        #expect(Set(said.map { $0.command.prefix { $0 != " " } }) == ["import", "exposures", "report", "secret"])
    }

    // 1 m and 2 m from beacons that hang 3 m from each other: from 3 - 1 - 2 to 3 + 1 + 2 m, and the bounds widen that.
    @Test func `Places that the configuration has side by side make encounters of those at one and the other`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (one, other) = (BadgeRecords.place(), BadgeRecords.place(gateway: "west", room: "102", minor: 10))
        let lines =
            BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)], place: one)
            + BadgeRecords.lines([.init(badge: 2, minutes: 5...15, metres: 2)], place: other)
        let file = try directory.write("records.jsonl", lines)
        func configuration(_ neighbours: String) throws -> [String] {
            let store = "[store]\nlocation = \"\(directory.path)/s.sqlite\"\n"
            return ["--config", try directory.write("m.toml", store + neighbours)]
        }
        let sideBySide = try configuration(
            "[[neighbours]]\nplaces = [\"\(BadgeRecords.uuid)/9/9\", \"\(BadgeRecords.uuid)/9/10\"]\ndistance = \"3m\"\n"
        )
        let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
        #expect(try await TestMatcher.run(["import", file] + asOf + sideBySide).status == 0)
        let found = try await TestMatcher.run(Self.exposures(1, ["--json"] + sideBySide))
        let told = try JSON.decode(Told.self, from: Array(try #require(found.output.first).utf8))
        let window = try #require(told.explanation.windows.first)
        #expect(window.place == "\(BadgeRecords.uuid)/9/10")
        #expect(window.positivePlace == "\(BadgeRecords.uuid)/9/9" && window.separation == 3)
        #expect(told.sharedMinutes == 10)
        // Without them nothing is near enough to be looked at.
        let apart = try configuration("")
        #expect(try await TestMatcher.run(["import", file] + asOf + apart).status == 0)
        #expect(try await TestMatcher.run(Self.exposures(1, apart)).output.isEmpty)
    }
}
