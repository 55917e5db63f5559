import BeaconModel
import Evidence
import InteractionStore
import Matching
import SystemIO
import TestSupport
import TestValues
import Testing

/// What a few lines of SQL, and a few with numpy, find in the same records (`Tests/Readings/minutes.py`).
@Suite("Minutes together, found by others", .timeLimit(.minutes(10))) struct IndependentMinutesTests {
    private static let python = "/usr/bin/python3"
    private static let near = 0.86
    /// The store keeps counts and RSSI in steps: a similarity that is nearer to the threshold may be on either side.
    private static let tolerance = 0.006

    private static func isInstalled(_ way: String) async throws -> Bool {
        try await ChildProcess.run(python, ["-c", way == "numpy" ? "import numpy" : "import sqlite3"]).status == 0
    }

    @Test(arguments: ["sql", "numpy"]) func `The same minutes are found by others`(way: String) async throws {
        guard try await Self.isInstalled(way) else {
            Issue.record("\(way) isn't there: make test-packages installs it")
            return
        }
        var random = SeededGenerator("minutes found by others")
        let simulation = SyntheticReadings(receivers: 5, badges: 30, minutes: 60)
        // One floor: the scripts know no ceilings.
        let records = simulation.records(&random).filter { $0.place.floor == "0" }
        let directory = try TemporaryDirectory()
        let path = directory.path + "/readings.jsonl"
        try FileContents.replace(path, with: Array(records.map(Self.line).joined().utf8))
        let script = Repository.root + "/Tests/Readings/minutes.py"
        let result = try await ChildProcess.run(
            "sh",
            [
                "-c", #"exec "$0" -B "$1" "$2" "$3" < "$4""#, Self.python, script, way, "\(Self.near - Self.tolerance)",
                path,
            ])
        try #require(result.status == 0, "\(result)")
        var others: [String: Double] = [:]
        for line in result.output {
            let fields = line.split(separator: " ").map(String.init)
            try #require(fields.count == 4)
            others["\(fields[0]) \(fields[1]) \(fields[2])"] = Double(fields[3])
        }
        let now = SyntheticReadings.morning + 7200
        let store = try InteractionStore.open(.sqlite(directory.path + "/store.sqlite"))
        _ = try store.store(records.map { .readings($0) }, now: now)
        _ = try store.settleAllReadings(before: now, now: now)
        let near = try #require(SimilarityLevel(threshold: Self.near))
        var found: Set<String> = []
        for (pair, minutes) in try store.allCompany(simulation.badges) {
            let names = pair.split(separator: " ").map { $0.dropFirst("badge:".count) }
            guard names[0] < names[1] else { continue }
            for (minute, level) in minutes where level >= near.rawValue {
                found.insert("\(names[0]) \(names[1]) \(minute)")
            }
        }
        #expect(found.count > 20, random.comment)
        for minute in found {
            #expect(others[minute] != nil, "\(minute) is found by the store alone; \(random.comment)")
        }
        for (minute, similarity) in others where similarity >= Self.near + Self.tolerance {
            #expect(found.contains(minute), "\(minute) \(similarity) isn't found by the store; \(random.comment)")
        }
    }

    private static func line(_ record: ReadingsRecord) -> String {
        let levels = record.gateway.split(separator: "/")
        let numbers = record.subjects.map { $0.identity.id.split(separator: "/").last.map(String.init) ?? "0" }
        let uuid = record.subjects.first?.identity.id.split(separator: "/").first.map(String.init) ?? ""
        let group =
            record.subjects.isEmpty
            ? ""
            : #"{"kind":"beacon","uuid":"\#(uuid)","major":1,"minors":[\#(numbers.joined(separator: ","))],"counts":[\#(record.subjects.map { "\($0.count)" }.joined(separator: ","))],"rssi":[\#(record.subjects.map { $0.rssi.map { "\($0)" } ?? "null" }.joined(separator: ","))]}"#
        return
            #"{"data":{"place":{"site":"\#(levels[0])","building":"\#(levels[1])","floor":"\#(levels[2])","gateway":"\#(levels[3])"},"startedAt":"\#(Timestamp(microseconds: record.start * 1_000_000).rfc3339)","listenedSeconds":\#(record.listened),"subjects":[\#(group)]}}"#
            + "\n"
    }
}
