import BeaconModel
import InteractionStore
import Matching
import OperatorText
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

/// What bounds an answer: times, fixed beacons, the policy's window, clocks.
@Suite(.timeLimit(.minutes(10))) struct ExposureBoundsTests {
    private static let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
    private static let fixed = "badge:\(BadgeRecords.uuid)/9/9"

    /// Options that name a store with these records.
    private func store(
        _ lines: String, _ more: [String] = asOf, in directory: TemporaryDirectory, at location: StoreLocation? = nil
    ) async throws -> [String] {
        let store =
            switch location {
            case .postgreSQL(let text): ["--store", text]
            case .sqlite(let path): ["--store", path]
            case nil: ["--store", directory.path + "/s.sqlite"]
            }
        let file = try directory.write("records.jsonl", lines)
        let imported = try await TestMatcher.run(["import", file] + more + store)
        #expect(imported.status == 0, "\(imported.errorOutput)")
        return store
    }

    private func exposures(
        _ positive: String, _ more: [String]
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await TestMatcher.run(["exposures", "--positive", positive] + more)
    }

    private static func time(_ minute: Int64, after start: Timestamp = BadgeRecords.morning) -> String {
        InstantText.utc((start + .seconds(minute * 60)).microseconds / 1_000_000)
    }

    // Badge 1 is there from 8:00 to 8:30. Badge 2 leaves at 8:05, badge 3 at 8:18, which is less than the policy's five
    // minutes before 8:20; badge 4 comes at 8:25 and badge 5 at 8:31.
    @Test(arguments: Backend.installed)
    func `The bounds that are asked for cut stays, and a cut is neither an arrival nor a departure`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let lines = BadgeRecords.lines([
                .init(badge: 1, minutes: 0...30, metres: 1), .init(badge: 2, minutes: 0...5, metres: 1),
                .init(badge: 3, minutes: 0...18, metres: 1), .init(badge: 4, minutes: 25...40, metres: 1),
                .init(badge: 5, minutes: 31...40, metres: 1),
            ])
            let store = try await store(lines, in: directory, at: location)
            let bounds = ["--from", Self.time(20), "--to", Self.time(28)]
            let cut = try await exposures(BadgeRecords.badge(1), bounds + store)
            #expect(cut.output.count == 2, "\(cut.output)")
            let row = try #require(cut.output.last)
            #expect(row.hasPrefix(BadgeRecords.badge(4)))
            #expect(row.contains("  2026-11-02 08:25  2026-11-02 08:28  ") && row.contains(" 3.0 "), "\(row)")
            let whole = try await exposures(
                BadgeRecords.badge(1), ["--from", Self.time(0), "--to", Self.time(60)] + store)
            #expect(whole.output.count == 5, "\(whole.output)")
        }
    }

    // Badge 1 is there from 8:00 to 9:30, in parts that meet at 8:31 and 9:00. Badge 2 leaves at 8:28, two minutes before
    // the time that is asked for; badge 3 comes at 9:02, a minute after it.
    @Test(arguments: Backend.installed)
    func `Where one record of a stay ends and the next begins nobody arrives or departs`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let lines = BadgeRecords.lines([
                .init(badge: 1, minutes: 60...90, metres: 1), .init(badge: 1, minutes: 0...31, metres: 1.1),
                .init(badge: 1, minutes: 31...60, metres: 0.9), .init(badge: 2, minutes: 0...28, metres: 1),
                .init(badge: 3, minutes: 62...70, metres: 1),
            ])
            let store = try await store(lines, in: directory, at: location)
            let bounds = ["--from", Self.time(30), "--to", Self.time(61)]
            let cut = try await exposures(BadgeRecords.badge(1), bounds + store)
            #expect(cut.output.isEmpty, "\(cut.output)")
            let whole = try await exposures(
                BadgeRecords.badge(1), ["--from", Self.time(0), "--to", Self.time(90)] + store)
            #expect(whole.output.count == 3, "\(whole.output)")
        }
    }

    // A badge is handed on 20 minutes after the records begin, while it lies at the same beacon.
    @Test(arguments: Backend.installed)
    func `A report names only those who were near since the badge was handed on`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let start = WallClock.now() + .seconds(-7200)
            let lines = BadgeRecords.lines(
                [
                    .init(badge: 1, minutes: 0...30, metres: 1), .init(badge: 2, minutes: 0...5, metres: 1),
                    .init(badge: 3, minutes: 20...25, metres: 1),
                ], from: start)
            let store = try await store(lines, [], in: directory, at: location)
            let since = Self.time(20, after: start)
            let report = try await TestMatcher.run(["report", BadgeRecords.badge(1), "--from", since] + store)
            #expect(report.status == 0)
            #expect(report.output.dropFirst() == [BadgeRecords.badge(3)], "\(report.output)")
        }
    }

    /// Badges 1 and 2 near the gateway east, whose own beacon 9/9 is heard by the gateway west, with badge 3.
    private func nearFixedBeacon(from start: Timestamp = BadgeRecords.morning) -> String {
        let west = BadgeRecords.place(gateway: "west", room: "102", minor: 10)
        return BadgeRecords.lines(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1)], from: start)
            + BadgeRecords.lines(
                [
                    .init(badge: 9, minutes: 0...20, metres: 1, major: 9), .init(badge: 3, minutes: 0...20, metres: 1),
                ], from: start, place: west)
    }

    @Test(arguments: Backend.installed)
    func `A beacon that hangs somewhere can't be positive`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let start = WallClock.now() + .seconds(-7200)
            let store = try await store(nearFixedBeacon(from: start), [], in: directory, at: location)
            for arguments in [
                ["report", Self.fixed], ["report", BadgeRecords.badge(1), Self.fixed],
                ["exposures", "--positive", Self.fixed],
            ] {
                let refused = try await TestMatcher.run(arguments + store)
                #expect(refused.status == 65, "\(refused)")
                #expect(refused.output.isEmpty)
                #expect(refused.errorOutput.first == "error: \(Self.fixed) is a fixed beacon, which nobody carries")
            }
            let opened = try InteractionStore.open(location)
            #expect(try opened.reports(since: 0).isEmpty && opened.notices().isEmpty)
        }
    }

    // As an earlier version stored it.
    @Test func `A stored report that names a fixed beacon exposes nobody, and is marked`() async throws {
        let directory = try TemporaryDirectory()
        let start = WallClock.now() + .seconds(-7200)
        let options = try await store(nearFixedBeacon(from: start), [], in: directory)
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        let beacon = try #require(SubjectIdentity(Self.fixed))
        let now = WallClock.now().microseconds / 1_000_000
        let report = PositiveReport(
            reference: "old", received: now, positive: PositiveCase(reportType: .confirmed),
            subjects: [.init(identity: beacon, since: now - 86_400, until: now)])
        let number = try #require(try store.add(report).number)
        let matching = ReportMatching(
            policy: try #require(Policy.shipped("six-metre-five-minute")), phoneDelay: nil)
        #expect(try matching.findings(of: .init(number: number, report), in: store, now: now).exposures.isEmpty)
        let listed = try await TestMatcher.run(["reports"] + options)
        #expect(
            listed.errorOutput.first
                == "report old names \(Self.fixed), a fixed beacon that nobody carries: no exposures follow")
    }

    @Test func `A beacon that the configuration gives a room is fixed for whoever asks with that configuration`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1),
            .init(badge: 3, minutes: 0...20, metres: 1),
        ])
        let store = try await store(lines, in: directory)
        let window = ["--from", "2026-11-02", "--to", "2026-11-03"]
        let before = try await exposures(BadgeRecords.badge(1), window + store)
        #expect(before.output.count == 3)
        let configuration = try directory.write(
            "m.toml",
            """
            [store]
            location = "\(directory.path)/s.sqlite"
            [[rooms]]
            name = "101"
            beacons = ["\(BadgeRecords.uuid)/1/2"]
            """)
        let configured = ["--config", configuration]
        let found = try await exposures(BadgeRecords.badge(1), window + configured)
        #expect(found.output.count == 2 && found.output.last?.hasPrefix(BadgeRecords.badge(3)) == true)
        #expect(try await exposures(BadgeRecords.badge(2), window + configured).status == 65)
        #expect(try await TestMatcher.run(["report", BadgeRecords.badge(2)] + configured).status == 65)
        // Asking changes nothing for those who ask without it.
        #expect(try await exposures(BadgeRecords.badge(1), window + store).output == before.output)
    }

    // The test was forty days before the contact.
    @Test func `The day of a test moves the time in which contacts count`() async throws {
        let directory = try TemporaryDirectory()
        let start = WallClock.now() + .seconds(-7200)
        let lines = BadgeRecords.lines(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1)], from: start)
        let store = try await store(lines, [], in: directory)
        func day(_ days: Int64) -> String { (start + .seconds(-days * 86_400)).day }
        let badge = BadgeRecords.badge(1)
        #expect(try await exposures(badge, store).output.count == 2)
        #expect(try await exposures(badge, ["--test-date", day(3)] + store).output.count == 2)
        #expect(try await exposures(badge, ["--test-date", day(40)] + store).status == 69)
        #expect(try await exposures(badge, ["--onset", day(40)] + store).status == 69)
        // The window reaches from the earlier of the two days to the later.
        #expect(
            try await exposures(badge, ["--onset", day(40), "--test-date", day(3)] + store).output.count == 2)
        for more in [["--test-date", day(40)], ["--test-date", day(20), "--from", day(1)]] {
            let impossible = try await TestMatcher.run(["report", badge] + more + store)
            #expect(impossible.status == 64)
            #expect(
                impossible.errorOutput.first?.contains("contacts of this case count until") == true,
                "\(impossible.errorOutput)")
        }
    }

    // Three meetings, more than five minutes apart from each other.
    @Test func `Each exposed subject has a level of risk by the policy`() async throws {
        let directory = try TemporaryDirectory()
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...90, metres: 1), .init(badge: 2, minutes: 0...10, metres: 1),
            .init(badge: 2, minutes: 30...40, metres: 1), .init(badge: 2, minutes: 60...70, metres: 1),
            .init(badge: 3, minutes: 0...10, metres: 1),
        ])
        let store = try await store(lines, in: directory)
        let options = ["--policy", "further", "--from", "2026-11-02", "--to", "2026-11-03"] + store
        let table = try await exposures(BadgeRecords.badge(1), options)
        #expect(table.output.first?.hasSuffix("RISK") == true)
        #expect(table.output.filter { $0.hasSuffix(" high") }.count == 3)
        #expect(table.output.filter { $0.hasSuffix(" medium") }.count == 1)
        let json = try await exposures(BadgeRecords.badge(1), options + ["--json"])
        #expect(json.output.filter { $0.contains(#""risk":{"label":"high","level":"high"}"#) }.count == 3)
        #expect(json.output.filter { $0.contains(#""risk":{"label":"medium","level":"medium"}"#) }.count == 1)
    }

    @Test(arguments: Backend.installed)
    func `A gateway's clock that wasn't synchronized is said of the exposures that rest on it`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let west = BadgeRecords.place(gateway: "west", room: "102", minor: 10)
            let lines =
                BadgeRecords.lines(
                    [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1)],
                    clockIsSynchronized: false)
                + BadgeRecords.lines(
                    [.init(badge: 1, minutes: 60...80, metres: 1), .init(badge: 3, minutes: 60...80, metres: 1)],
                    place: west)
            let store = try await store(lines, in: directory, at: location)
            let window = ["--from", "2026-11-02", "--to", "2026-11-03"]
            let json = try await exposures(BadgeRecords.badge(1), window + ["--json"] + store)
            let said = #"times may be wrong"#
            #expect(json.output.count == 2)
            #expect(json.output.filter { $0.contains("/1/2\"") && $0.contains(said) }.count == 1, "\(json.output)")
            #expect(json.output.filter { $0.contains(said) }.count == 1)
            let table = try await exposures(BadgeRecords.badge(1), window + store)
            #expect(
                table.errorOutput.contains(
                    "for 1 exposure a gateway's clock was not synchronized: its times may be wrong"),
                "\(table.errorOutput)")
        }
    }

    // Interactions of 20 days ago are kept for 14 days at least, and were imported by hand; policies look back 14 days.
    @Test func `Exposures that are too old to be told are counted, by those who ask and by those who report`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let start = WallClock.now() + .seconds(-20 * 86_400)
        let lines = BadgeRecords.lines(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1)], from: start)
        let store = try await store(lines, ["--as-of", Self.time(60, after: start)], in: directory)
        let from = ["--from", Self.time(-60, after: start)]
        let found = try await exposures(BadgeRecords.badge(1), from + store)
        #expect(found.output.count == 2)
        #expect(
            found.errorOutput.contains(
                "1 of them ended more than 14 days ago; exposures that old are not notified"),
            "\(found.errorOutput)")
        let report = try await TestMatcher.run(["report", BadgeRecords.badge(1)] + from + store)
        #expect(report.output.count == 1)
        #expect(
            report.errorOutput.contains(
                "1 exposure ended more than 14 days ago; exposures that old are not notified, but `exposures` shows "
                    + "them"
            ),
            "\(report.errorOutput)")
    }

    // With a mistyped year nobody was exposed, nobody was told, and the report was deleted without a word.
    @Test(arguments: ["2025-11-02T12:00:00Z", "2026-10-02"])
    func `A report of a time of which nothing is known is refused, unless that is said to be so`(asOf: String)
        async throws
    {
        let directory = try TemporaryDirectory()
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...30, metres: 1), .init(badge: 2, minutes: 0...30, metres: 1),
        ])
        let store = Array(try await store(lines, in: directory))
        let report = ["report", BadgeRecords.badge(1), "--as-of", asOf] + store
        let refused = try await TestMatcher.run(report)
        #expect(refused.status == 69, "\(refused)")
        #expect(refused.errorOutput.contains { $0.contains("this does not mean that nobody was exposed") })
        #expect(try await TestMatcher.run(["reports", "--json"] + store).output == [])
        #expect(try await TestMatcher.run(report + ["--unheard"]).status == 0)
    }
}
