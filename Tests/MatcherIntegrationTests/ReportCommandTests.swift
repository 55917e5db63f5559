import BeaconModel
import InteractionStore
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// Reports by the program as people call it.
@Suite(.timeLimit(.minutes(10))) struct ReportCommandTests {
    @Test(arguments: Backend.installed)
    func `A report from the command line says whom it concerns, and a badge's secret is the same each time`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            let store =
                switch location {
                case .sqlite(let path): ["--store", path]
                case .postgreSQL(let text): ["--store", text]
                }
            let stays: [BadgeRecords.Stay] = [
                .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 10...30, metres: 1),
                .init(badge: 3, minutes: 0...20, metres: 5),
            ]
            let lines = BadgeRecords.lines(stays, from: WallClock.now() + .seconds(-7200))
            let file = try directory.write("records.jsonl", lines)
            // From a pipe.
            let imported = try await ChildProcess.run(
                "/bin/sh", ["-c", #"cat "$1" | "$0" import - "$2" "$3""#, TestMatcher.program, file] + store)
            #expect(imported.status == 0 && imported.output == ["3 records: 3 new"], "\(imported.errorOutput)")

            let selfReported = try await TestMatcher.run(["report", BadgeRecords.badge(1), "--self-reported"] + store)
            #expect(selfReported.output.count == 1 && selfReported.output[0].hasSuffix(", self-reported"))
            #expect(selfReported.errorOutput.last?.hasPrefix("0 subjects were exposed by") == true)

            let report = try await TestMatcher.run(
                ["report", BadgeRecords.badge(1), BadgeRecords.badge(77), "--unheard"] + store)
            #expect(report.status == 0)
            #expect(report.output.first?.hasSuffix(", confirmed") == true)
            #expect(report.output.dropFirst() == [BadgeRecords.badge(2)])
            #expect(
                report.errorOutput == [
                    "\(BadgeRecords.badge(77)) was never received by a gateway of this store",
                    "1 subject was exposed by six-metre-five-minute, version 2; `exposures` shows when, where and why",
                ])
            let badge = try #require(SubjectIdentity(BadgeRecords.badge(2)))
            let opened = try InteractionStore.open(location)
            #expect(try opened.exposures(of: badge).count == 1)
            // When somebody is told is the daemon's to know: a phone isn't told of today.
            #expect(try opened.notice(for: badge) == nil)
            #expect(try opened.staleNotices().map(\.subject) == [badge])

            var secrets: [(status: Int32, output: [String], errorOutput: [String])] = []
            for badge: UInt16 in [1, 2, 2] {
                secrets.append(try await TestMatcher.run(["secret", BadgeRecords.badge(badge)] + store))
            }
            #expect(secrets.allSatisfy { $0.status == 0 && $0.output.count == 1 })
            #expect(secrets[1].output == secrets[2].output && secrets[0].output != secrets[1].output)
            #expect(secrets[1].errorOutput.first?.hasPrefix("topic: beacons/v1/subject/") == true)
            #expect(secrets[1].errorOutput != secrets[0].errorOutput)
            let right = SubjectSecrets(secret: try opened.secret("subjects"))
            #expect(right.isRight(secrets[1].output[0], for: badge, version: 0))
        }
    }

    @Test(
        "A report that can't be right isn't stored",
        arguments: [
            ([BadgeRecords.badge(1), "--test-date", "2037-11-22"], "--test-date 2037-11-22 is in the future"),
            ([BadgeRecords.badge(1), "--onset", "2025-11-02"], "--onset 2025-11-02 is more than 30 days before"),
            ([BadgeRecords.badge(1), "--from", "2037-11-02"], "--from 2037-11-02 00:00 UTC is in the future"),
            ([BadgeRecords.badge(1), BadgeRecords.badge(77)], "\(BadgeRecords.badge(77)) was never received"),
        ])
    func refusedReport(arguments: [String], text: String) async throws {
        let directory = try TemporaryDirectory()
        let store = try await TestMatcher.store([.init(badge: 1, minutes: 0...20, metres: 1)], in: directory)
        let result = try await TestMatcher.run(["report"] + arguments + ["--as-of", "2026-11-02T12:00:00Z"] + store)
        #expect(result.status == 64)
        #expect(result.errorOutput.joined(separator: " ").contains(text), "\(result.errorOutput)")
        #expect(try await TestMatcher.run(["reports"] + store).errorOutput == ["0 reports"])
    }

    @Test(arguments: Backend.installed)
    func `A report that was a mistake is withdrawn, and what others were told with it`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let configuration = try TestMatcher.configuration(location, port: 1, in: directory)
            let stays: [BadgeRecords.Stay] = [
                .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 10...30, metres: 1),
            ]
            let file = try directory.write("records.jsonl", BadgeRecords.lines(stays))
            let options = ["--config", configuration]
            let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
            #expect(try await TestMatcher.run(["import", file] + asOf + options).status == 0)
            let report = try await TestMatcher.run(["report", BadgeRecords.badge(1)] + asOf + options)
            let id = try #require(report.output.first?.split(separator: " ")[1].dropLast())
            let badge = try #require(SubjectIdentity(BadgeRecords.badge(2)))
            func tell() throws {
                let matching = ReportMatching(
                    policy: try #require(Policy.shipped("six-metre-five-minute")), phoneDelay: nil)
                let (store, now) = (
                    try InteractionStore.open(location), BadgeRecords.morning.microseconds / 1_000_000 + 4 * 3600
                )
                for stale in try store.staleNotices() { try matching.announce(stale, in: store, now: now) }
            }
            try tell()
            #expect(try InteractionStore.open(location).notice(for: badge) != nil)
            #expect(try await TestMatcher.run(["reports"] + options).output.last?.hasPrefix(id) == true)
            let withdrawn = try await TestMatcher.run(["report", "--withdraw", String(id)] + asOf + options)
            #expect(withdrawn.status == 0, "\(withdrawn.errorOutput)")
            #expect(withdrawn.output == ["report \(id), confirmed, was withdrawn", BadgeRecords.badge(2)])
            #expect(try await TestMatcher.run(["reports"] + options).errorOutput == ["0 reports"])
            let store = try InteractionStore.open(location)
            #expect(try store.exposures(of: badge).isEmpty)
            try tell()
            // The row stays, empty, so that the daemon empties the topic.
            #expect(try store.notice(for: badge) == nil)
            #expect(try store.notices().map(\.content) == [nil])
            let again = try await TestMatcher.run(["report", "--withdraw", String(id)] + options)
            #expect(again.status == 64)
            let earlier = "error: report \(id) was withdrawn before, by command line, "
            #expect(again.errorOutput.first?.hasPrefix(earlier) == true, "\(again.errorOutput)")
        }
    }

    @Test(arguments: Backend.installed)
    func `A decision of a command is one about the report, and is not made twice`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            let configuration = try TestMatcher.configuration(location, port: 1, in: directory)
            let options = ["--config", configuration]
            let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
            let file = try directory.write(
                "records.jsonl", BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)]))
            #expect(try await TestMatcher.run(["import", file] + asOf + options).status == 0)
            let filed = try await TestMatcher.run(
                ["report", BadgeRecords.badge(1), "--self-reported"] + asOf + options)
            let id = String(try #require(filed.output.first?.split(separator: " ")[1].dropLast()))
            let store = try InteractionStore.open(location)

            let confirmed = try await TestMatcher.run(["report", "--confirm", id] + asOf + options)
            #expect(confirmed.output.first == "report \(id) is confirmed", "\(confirmed)")
            #expect(confirmed.errorOutput.contains("it was self-reported, and is confirmed now"), "\(confirmed)")
            let stored = try #require(try store.storedReport(id))
            #expect(!stored.isWaiting && stored.report.positive.reportType == .confirmed)
            let decision = try #require(stored.decision)
            #expect(decision.kind == .confirmed && decision.name.hasPrefix("command line, "))
            let again = try await TestMatcher.run(["report", "--confirm", id] + asOf + options)
            #expect(again.status == 0)
            let earlier = "report \(id) was confirmed before, by \(decision.name) at "
            #expect(again.errorOutput.contains { $0.hasPrefix(earlier) && $0.hasSuffix("nothing was changed") })
            #expect(try store.decision(report: id) == decision)

            #expect(try await TestMatcher.run(["report", "--withdraw", id] + options).status == 0)
            #expect(try store.decision(report: id)?.kind == .withdrawn)
            for step in ["--confirm", "--withdraw"] {
                let late = try await TestMatcher.run(["report", step, id] + options)
                #expect(late.status == 64, "\(late)")
                #expect(late.errorOutput.first?.contains("was withdrawn before, by command line, ") == true, "\(late)")
            }
        }
    }
}
