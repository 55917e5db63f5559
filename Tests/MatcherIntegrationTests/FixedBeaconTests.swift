import BeaconModel
import Evidence
import InteractionStore
import MatcherCore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import RecordContract

/// A beacon that hangs somewhere is nobody's, whoever names it.
@Suite("Fixed beacons on rosters, in check-ins and as owners", .timeLimit(.minutes(10))) struct FixedBeaconTests {
    private static let fixed = "badge:\(BadgeRecords.uuid)/9/9"
    private static let configured = "badge:\(BadgeRecords.uuid)/9/10"
    private static let timetable = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:one
        DTSTART:20261102T080000Z
        DURATION:PT90M
        SUMMARY:Algorithms
        LOCATION:101
        END:VEVENT
        END:VCALENDAR
        """

    /// With a gateway's own beacon 9/9 in the store, and 9/10 of a room in the configuration.
    private static func prepared(_ directory: TemporaryDirectory, roster: String) async throws -> [String] {
        let file = try directory.write(
            "m.toml",
            """
            [store]
            location = "\(directory.path)/s.sqlite"
            [[rooms]]
            name = "101"
            beacons = ["\(BadgeRecords.uuid)/9/10"]
            [attendance]
            timetable-files = ["\(try directory.write("t.ics", timetable))"]
            roster-file = "\(try directory.write("r.csv", "course,student,subject\n" + roster))"
            """)
        let lines = BadgeRecords.lines([.init(badge: 1, minutes: 0...90, metres: 1)])
        let options = ["--config", file, "--as-of", "2026-11-02T12:00:00Z"]
        let imported = try await TestMatcher.run(["import", try directory.write("r.jsonl", lines)] + options)
        #expect(imported.status == 0)
        return options
    }

    @Test(arguments: ["report", "check", "settle", "lectures"])
    func `A roster that gives a student a fixed beacon is refused with row and column`(command: String) async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(
            directory,
            roster:
                "Algorithms,s1,\(BadgeRecords.badge(1))\nAlgorithms,s2,\(Self.fixed)\nAlgorithms,s3,\(Self.configured)\n"
        )
        let result = try await TestMatcher.run(["attendance", command] + options)
        #expect(result.status == 65, "\(result)")
        let said = result.errorOutput.joined(separator: "\n")
        #expect(
            said.contains(
                "r.csv: line 4, column subject: found \"\(Self.configured)\", a fixed beacon; must be a badge or phone "
                    + "that the student carries"), "\(said)")
    }

    // A stolen gateway had ended everybody's attendance by naming one student's badge.
    @Test(arguments: ["report", "check", "settle", "lectures"])
    func `A badge that is a beacon by a gateway's word alone is noted, and the rest of the roster counts`(
        command: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(
            directory, roster: "Algorithms,s1,\(BadgeRecords.badge(1))\nAlgorithms,s2,\(Self.fixed)\n")
        let result = try await TestMatcher.run(["attendance", command] + options)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.errorOutput.contains {
                $0.contains("\(Self.fixed) of the roster is claimed by a gateway as mounted")
            }, "\(result)")
    }

    @Test func `A check of the roster says what it couldn't look at when there is no store yet`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "m.toml",
            """
            [store]
            location = "\(directory.path)/none.sqlite"
            [attendance]
            timetable-files = ["\(try directory.write("t.ics", Self.timetable))"]
            roster-file = "\(try directory.write("r.csv", "course,student,subject\nAlgorithms,s1,\(Self.fixed)\n"))"
            """)
        let result = try await TestMatcher.run(["attendance", "check", "--config", file])
        #expect(result.status == 0, "\(result)")
        #expect(
            result.errorOutput.contains {
                $0.hasPrefix(
                    "note: uploaded files, and whether the roster names gateways' own beacons, were not checked: ")
            }, "\(result.errorOutput)")
    }

    @Test func `No secret is printed for a fixed beacon`() async throws {
        let directory = try TemporaryDirectory()
        let options = Array(try await Self.prepared(directory, roster: "Algorithms,s1,\n").prefix(2))
        // A beacon that was taken down is carried again.
        #expect(try await TestMatcher.run(["secret", Self.fixed] + options).status == 0)
        let now = BadgeRecords.lines(
            [.init(badge: 1, minutes: 0...20, metres: 1)], from: WallClock.now() + .seconds(-7200))
        let fresh = try directory.write(
            "now.jsonl", now.replacing("/1/i1\"", with: "/2/i1\"").replacing("\"boot\":1", with: "\"boot\":2"))
        #expect(try await TestMatcher.run(["import", fresh] + options).status == 0)
        for beacon in [Self.fixed, Self.configured] {
            let refused = try await TestMatcher.run(["secret", beacon] + options)
            #expect(refused.status == 65, "\(refused)")
            #expect(refused.output.isEmpty)
            #expect(refused.errorOutput.first == "error: \(beacon) is a fixed beacon, which nobody carries")
        }
        let issued = try await TestMatcher.run(["secret", BadgeRecords.badge(1)] + options)
        #expect(issued.status == 0 && issued.output.count == 1)
    }

    @Test func `A fixed beacon signs for no lecture`() async throws {
        try await TestAPI.withStudent { api, badge, secret in
            try api.hear(badge, 230...240, sequence: 1)
            let beacon = try #require(SubjectIdentity("badge:\(TestAPI.beacon)"))
            let body = #"{"room":"101","kind":"badge","id":"\#(beacon.id)"}"#
            let answer = try await api.post("/v1/check-ins", body, secret: api.secrets.secret(of: beacon))
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.text.contains("id is a fixed beacon, which nobody carries"), "\(answer.text)")
            #expect(secret != api.secrets.secret(of: beacon))
        }
    }

    // As an earlier version stored it.
    @Test(arguments: Backend.installed)
    func `The daemon's log names a stored report that has a fixed beacon`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            try await TestBroker.with { broker in
                let store = try InteractionStore.open(location)
                let now = WallClock.now().microseconds / 1_000_000
                let lines = BadgeRecords.records(
                    [.init(badge: 1, minutes: 0...20, metres: 1)], from: WallClock.now() + .seconds(-7200))
                let records = try lines.map { try RecordReader.read($0.encoded(historical: false)) }
                #expect(try store.store(records, now: now).stored == 1)
                let report = PositiveReport(
                    reference: "old", received: now, positive: PositiveCase(reportType: .confirmed),
                    subjects: [
                        .init(identity: try #require(SubjectIdentity(Self.fixed)), since: now - 86_400, until: now)
                    ])
                _ = try store.add(report)
                let matcher = try TestMatcher(TestMatcher.configuration(location, port: broker.port, in: directory))
                let line = await matcher.process.errorOutput.first { $0.contains("names a fixed beacon") }
                #expect(line?.contains("report=old") == true && line?.contains(Self.fixed) == true, "\(line ?? "")")
                #expect(await matcher.stop() == 0)
            }
        }
    }
}
