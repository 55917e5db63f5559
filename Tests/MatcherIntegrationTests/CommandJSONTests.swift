import Attendance
import BeaconModel
import InteractionStore
import RecordContract
import TestSupport
import Testing

/// Commands that print lists print them for programs, too.
@Suite("JSON of the matcher's commands", .timeLimit(.minutes(10))) struct CommandJSONTests {
    private struct Subject: Decodable, Equatable { var kind: String, id: String }
    private struct Filed: Decodable {
        struct Policy: Decodable { var name: String }
        var report: String
        var received: String
        var type: String
        var subjects: [Subject]
        var counts: Bool
        var exposed: [Subject]
        var belowRisk: Int
        var tooOld: Int
        var doubtfulClocks: Int
        var policy: Policy
    }
    private struct Withdrawn: Decodable { var report: String, type: String, exposed: [Subject] }
    private struct Erased: Decodable {
        struct File: Decodable { var path: String, holdsID: Bool }
        var subject: Subject
        var interactions: Int
        var remaining: Int
        var files: [File]
        var isComplete: Bool
    }

    private static func prepared(_ directory: TemporaryDirectory) async throws -> [String] {
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 10...20, metres: 1),
        ])
        let store = ["--store", directory.path + "/s.sqlite"]
        let imported = try await TestMatcher.run(
            ["import", try directory.write("r.jsonl", lines), "--as-of", "2026-11-02T12:00:00Z"] + store)
        #expect(imported.status == 0)
        return store
    }

    @Test func `A report is filed and withdrawn as one JSON document each`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
        let filed = try await TestMatcher.run(["report", BadgeRecords.badge(1), "--json"] + asOf + store)
        #expect(filed.status == 0 && filed.output.count == 1, "\(filed)")
        let document = try JSON.decode(Filed.self, from: Array((filed.output.first ?? "").utf8))
        let (ann, ben) = ("\(BadgeRecords.uuid)/1/1", "\(BadgeRecords.uuid)/1/2")
        #expect(document.type == "confirmed" && document.received == "2026-11-02T12:00:00Z" && document.counts)
        #expect(document.subjects == [.init(kind: "badge", id: ann)])
        #expect(document.exposed == [.init(kind: "badge", id: ben)])
        #expect([document.belowRisk, document.tooOld, document.doubtfulClocks] == [0, 0, 0])
        #expect(document.policy.name == "six-metre-five-minute")
        let listed = try await TestMatcher.run(["reports", "--json"] + store)
        #expect(listed.output.first?.contains(document.report) == true)
        let withdrawn = try await TestMatcher.run(
            ["report", "--withdraw", document.report, "--json"] + asOf + store)
        #expect(withdrawn.status == 0 && withdrawn.output.count == 1, "\(withdrawn)")
        let back = try JSON.decode(Withdrawn.self, from: Array((withdrawn.output.first ?? "").utf8))
        #expect(back.report == document.report && back.type == "confirmed")
        #expect(back.exposed == document.exposed)
    }

    @Test func `A room that another floor names too is shown with who isn't believed`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "m.toml", "[store]\nlocation = \"\(directory.path)/s.sqlite\"\n[[rooms]]\nname = \"101\"\n")
        let other = Place(
            site: "campus", building: "main", floor: "2", gateway: "spare", room: "101",
            beacon: BeaconID(uuid: BadgeRecords.uuid, major: 9, minor: 10))
        for (name, place) in [("one", BadgeRecords.place()), ("two", other)] {
            let lines = BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)], place: place)
            let imported = try await TestMatcher.run(
                ["import", try directory.write(name, lines), "--as-of", "2026-11-02T12:00:00Z", "--config", file])
            #expect(imported.status == 0, "\(imported)")
        }
        let listed = try await TestMatcher.run(["places", "list", "--json", "--config", file])
        let refused = listed.output.filter { $0.contains(#""state":"refused""#) }
        #expect(
            refused == [
                #"{"floor":"campus/main/1","reason":"of-another","receiver":"campus/main/2/spare","room":"101","state":"refused"}"#
            ], "\(listed)")
        let shown = try await TestMatcher.run(["places", "list", "--config", file])
        #expect(
            shown.errorOutput.contains(
                "rejected: campus/main/2/spare names room 101, which campus/main/1 had named first"), "\(shown)")
    }

    @Test func `An erasure proves itself in one JSON document`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let erased = try await TestMatcher.run(["erase", BadgeRecords.badge(2), "--yes", "--json"] + store)
        #expect(erased.status == 0 && erased.output.count == 1, "\(erased)")
        let document = try JSON.decode(Erased.self, from: Array((erased.output.first ?? "").utf8))
        #expect(document.subject == .init(kind: "badge", id: "\(BadgeRecords.uuid)/1/2"))
        #expect(document.interactions == 1 && document.remaining == 0 && document.isComplete)
        #expect(!document.files.isEmpty && document.files.allSatisfy { !$0.holdsID })
        #expect(document.files.contains { $0.path.hasSuffix("s.sqlite") })
    }

    @Test func `What is kept under a student's number is erased by the number`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = try InteractionStore.open(.sqlite(path))
        _ = try store.checkIn(CheckIn(lecture: "a", student: "s1", at: 100, room: "HB 2.11"))
        let result = SubmittedResult(
            reference: "r", state: .waiting, at: 100, sender: .init(name: "", number: "S1", contact: ""), proof: .code)
        #expect(try store.send(result, now: 100))
        let refused = try await TestMatcher.run(["erase", "--number", "s1", "--store", path])
        #expect(refused.status == 64)
        #expect(
            refused.output == [
                "number \"s1\": 1 check-in, 0 corrections, 0 settled verdicts, 0 days of answers, "
                    + "1 test result sent in"
            ])
        let erased = try await TestMatcher.run(["erase", "--number", "s1", "--yes", "--json", "--store", path])
        #expect(erased.status == 0, "\(erased)")
        let counts = #""answeredDays":0,"checkIns":1,"corrections":0,"isComplete":true"#
        #expect(
            erased.output == ["{\(counts)" + #","number":"s1","remaining":0,"settledVerdicts":0,"submittedResults":1}"#]
        )
        #expect(try store.holdings(ofNumber: "s1").isEmpty)
    }
}
