import BeaconModel
import InteractionStore
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore

/// Answers that rest on a gateway's clock that wasn't synchronized say so.
@Suite("Doubt about clocks", .timeLimit(.minutes(10))) struct ClockDoubtTests {
    private static let said = "a gateway's clock was not synchronized: the times may be wrong"

    private static let timetable = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:one
        DTSTART:20261102T080000Z
        DURATION:PT90M
        SUMMARY:Algorithms
        LOCATION:101
        END:VEVENT
        BEGIN:VEVENT
        UID:two
        DTSTART:20261102T110000Z
        DURATION:PT90M
        SUMMARY:Algorithms
        LOCATION:101
        END:VEVENT
        END:VCALENDAR
        """

    /// Two lectures in one room. Of the first a gateway told whose clock wasn't synchronized; badge 2 wasn't there.
    private static func prepared(_ location: StoreLocation, _ directory: TemporaryDirectory) async throws -> [String] {
        let store =
            switch location {
            case .sqlite(let path): path
            case .postgreSQL(let text): text
            }
        let roster = (1...2).map { "Algorithms,s\($0),\(BadgeRecords.badge(UInt16($0)))\n" }.joined()
        let file = try directory.write(
            "m.toml",
            """
            [store]
            location = "\(store)"
            [[rooms]]
            name = "101"
            places = ["campus/main/1/east"]
            [attendance]
            timetable-files = ["\(try directory.write("t.ics", timetable))"]
            roster-file = "\(try directory.write("r.csv", "course,student,subject\n" + roster))"
            """)
        let options = ["--config", file]
        let doubtful = BadgeRecords.lines([.init(badge: 1, minutes: 0...90, metres: 1)], clockIsSynchronized: false)
        let right = BadgeRecords.records(
            [.init(badge: 1, minutes: 180...270, metres: 1), .init(badge: 2, minutes: 600...601, metres: 1)], boot: 2
        ).map { String(decoding: $0.encoded(historical: false), as: UTF8.self) + "\n" }.joined()
        let lines = try directory.write("records.jsonl", doubtful + right)
        let imported = try await TestMatcher.run(["import", lines, "--as-of", "2026-11-02T23:00:00Z"] + options)
        #expect(imported.output == ["3 records: 3 new"], "\(imported)")
        return options
    }

    private struct Told: Decodable {
        struct Lecture: Decodable { var id: String }
        var lecture: Lecture
        var student: String
        var status: String
        var clock: String?
        var explanation: [String]
    }

    @Test(arguments: Backend.installed)
    func `Attendance says of which verdicts the times may be wrong`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let options = try await Self.prepared(location, directory) + ["--as-of", "2026-11-02T23:00:00Z"]
            let table = try await TestMatcher.run(["attendance"] + options)
            #expect(table.status == 0)
            #expect(table.output.filter { $0.contains(Self.said) }.count == 2, "\(table.output)")
            #expect(
                table.errorOutput == [
                    "for 2 verdicts a gateway's clock was not synchronized: their times may be wrong"
                ])
            let csv = try await TestMatcher.run(["attendance", "--csv"] + options)
            #expect(csv.output.first?.hasSuffix(",explanation,clock") == true, "\(csv.output)")
            #expect(csv.output.filter { $0.hasSuffix("\(Self.said),unsynchronized") }.count == 2, "\(csv.output)")
            #expect(csv.output.filter { $0.hasSuffix(",") }.count == 2)
            let json = try await TestMatcher.run(["attendance", "--json"] + options)
            let told = try json.output.map { try JSON.decode(Told.self, from: Array($0.utf8)) }
            // That somebody wasn't heard in a room whose clock is wrong says as little.
            #expect(told.map(\.status) == ["present", "absent", "present", "absent"])
            #expect(told.map(\.clock) == ["unsynchronized", "unsynchronized", nil, nil])
            #expect(told.map { $0.explanation.contains(Self.said) } == [true, true, false, false])
        }
    }

    @Test(arguments: Backend.installed)
    func `What was written down says it, too`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let options = try await Self.prepared(location, directory)
            let settled = try await TestMatcher.run(
                ["attendance", "settle", "--as-of", "2026-11-02T23:00:00Z"] + options)
            #expect(settled.output == ["4 verdicts of 2 lectures were recorded"])
            let json = try await TestMatcher.run(
                ["attendance", "--json", "--from", "2026-11-02", "--as-of", "2026-12-24"] + options)
            let told = try json.output.map { try JSON.decode(Told.self, from: Array($0.utf8)) }
            #expect(told.map(\.status) == ["present", "absent", "present", "absent"])
            #expect(told.map(\.clock) == ["unsynchronized", "unsynchronized", nil, nil], "\(json.output)")
        }
    }

    private struct Risk: Decodable {
        var exposures: Int
        var missing: [String]
    }

    @Test(arguments: Backend.installed)
    func `Risk and notice say what their exposures rest on`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            let cid = try await api.newPhone()
            try api.hear(ann.identity, 0...20, sequence: 1, clockIsSynchronized: false)
            try api.hear(ben.identity, 0...20, sequence: 2, clockIsSynchronized: false)
            let other = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"
            try api.hear(ann.identity, 60...80, sequence: 3, beacon: other)
            try api.hear(cid.identity, 60...80, sequence: 4, beacon: other)
            let token = try await api.token(api.claims(of: ann))
            #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
            try api.match()
            func risk(_ phone: TestAPI.Phone) async throws -> Risk {
                try JSON.decode(Risk.self, from: try await api.get(phone.path + "/risk", secret: phone.secret).body)
            }
            let (doubtful, right) = (try await risk(ben), try await risk(cid))
            #expect(doubtful.exposures == 1 && doubtful.missing.contains(Self.said))
            #expect(right.exposures == 1 && !right.missing.contains(Self.said))
            let notices = try api.store.use { store in
                try [ben, cid].map { try store.notice(for: $0.identity).map { NoticeDocument($0).text } ?? "" }
            }
            #expect(notices[0].contains(Self.said) && !notices[1].contains(Self.said), "\(notices)")
        }
    }

    @Test func `The API's attendance says it`() async throws {
        try await TestAPI.withStudent { api, badge, _ in
            try api.hear(badge, 250...330, sequence: 1, clockIsSynchronized: false)
            api.clock.withLock { $0 = morning + 340 * 60 }
            let answer = try await api.get("/v1/attendance?student=s1", secret: TestAPI.operatorToken)
            #expect(answer.text.contains(#""clock":"unsynchronized""#), "\(answer.text)")
            #expect(answer.text.contains(Self.said))
        }
    }

    @Test func `Who files a report is told, too`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite", "--as-of", "2026-11-02T12:00:00Z"]
        let lines = BadgeRecords.lines(
            [.init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1)],
            clockIsSynchronized: false)
        _ = try await TestMatcher.run(["import", try directory.write("r.jsonl", lines)] + store)
        let report = try await TestMatcher.run(["report", BadgeRecords.badge(1)] + store)
        #expect(
            report.errorOutput.contains(
                "for 1 exposure a gateway's clock was not synchronized: its times may be wrong"),
            "\(report.errorOutput)")
    }
}
