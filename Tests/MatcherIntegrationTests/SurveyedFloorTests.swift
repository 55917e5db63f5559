import BeaconModel
import InteractionStore
import Localisation
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

/// Located stays and what follows from them, by the program as people call it.
@Suite("A surveyed floor", .timeLimit(.minutes(10))) struct SurveyedFloorTests {
    private let span = ["--from", "2026-11-02", "--to", "2026-11-03"]

    @Test func `Contacts are told by rooms and positions, and the explanation says so`() async throws {
        let directory = try TemporaryDirectory()
        let (config, status, output) = try await SurveyedFloor.prepared(directory)
        #expect(status == 0)
        #expect(output.contains("stays were located in 3 quarters of an hour"), "\(output)")
        let told = try await TestMatcher.run(
            ["exposures", "--positive", BadgeRecords.badge(1), "--json", "--config", config] + span)
        #expect(told.output.count == 1, "\(told.output)")
        #expect(told.output.first?.contains("told by rooms and positions on a surveyed floor") == true)
        #expect(told.output.first?.contains(#""locatedMinutes":"#) == true)
        #expect(told.output.first?.contains(BadgeRecords.badge(2).dropFirst(6)) == true)
    }

    @Test func `Without a survey the similarity of what was heard counts`() async throws {
        let directory = try TemporaryDirectory()
        let (config, status, _) = try await SurveyedFloor.prepared(directory, isSurveyed: false)
        #expect(status == 0)
        let told = try await TestMatcher.run(
            ["exposures", "--positive", BadgeRecords.badge(1), "--json", "--config", config] + span)
        #expect(told.output.count == 1)
        #expect(told.output.first?.contains("rooms and positions") == false)
    }

    @Test func `Attendance goes by the rooms of the plan, without a radius`() async throws {
        let directory = try TemporaryDirectory()
        let ics = try directory.write(
            "timetable.ics",
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VEVENT
            UID:algo
            DTSTART:20261102T080000Z
            DTEND:20261102T083000Z
            SUMMARY:Algorithms
            LOCATION:HB 2.11
            END:VEVENT
            END:VCALENDAR
            """)
        let csv = try directory.write(
            "roster.csv",
            "course,student,subject,name\n"
                + (1...3).map { "Algorithms,s\($0),\(BadgeRecords.badge(UInt16($0))),S\($0)\n" }.joined())
        let (config, status, _) = try await SurveyedFloor.prepared(
            directory,
            more: """
                [attendance]
                timetable-files = ["\(ics)"]
                roster-file = "\(csv)"
                """)
        #expect(status == 0)
        let report = try await TestMatcher.run(
            ["attendance", "--config", config, "--as-of", "2026-11-02T12:00:00Z"])
        #expect(report.status == 0, "\(report.errorOutput)")
        func line(_ student: String) -> String { report.output.first { $0.contains(" \(student) (") } ?? "" }
        #expect(line("s1").contains("present") && line("s2").contains("present"), "\(report.output)")
        #expect(line("s3").contains("absent"), "\(report.output)")
    }

    @Test func `The stays of a badge are a table with rooms`() async throws {
        let directory = try TemporaryDirectory()
        let (config, _, _) = try await SurveyedFloor.prepared(directory)
        let table = try await TestMatcher.run(["stays", BadgeRecords.badge(1), "--config", config] + span)
        #expect(table.output.count == 2, "\(table.output)")
        #expect(
            table.output.last?.hasPrefix("2026-11-02 08:00  2026-11-02 08:40  campus/main/1  HB 2.11 ") == true,
            "\(table.output)")
        let none = try await TestMatcher.run(["stays", BadgeRecords.badge(44), "--config", config] + span)
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(none.errorOutput.contains { $0.hasPrefix("no stays of badge:") })
    }

    @Test func `The daemon locates stays by itself when readings are settled`() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("floors.toml", SurveyedFloor.plan)
        let location = StoreLocation.sqlite(directory.path + "/s.sqlite")
        let store = try InteractionStore.open(location)
        for spot in SurveyedFloor.spots() { _ = try store.add(spot) }
        try await TestBroker.with { broker in
            let config = try TestMatcher.configuration(
                location, port: broker.port, more: "[localisation]\nplan = \"floors.toml\"", in: directory)
            // A quarter of an hour that is over, and the first minute of the next.
            let quarter = (WallClock.now().microseconds / 1_000_000 - 7200) / 900 * 900
            let matcher = try TestMatcher(config)
            #expect(await matcher.waitUntilStoring())
            for record in SurveyedFloor.records(
                minutes: 0..<16, from: Timestamp(microseconds: quarter * 1_000_000))
            {
                try await broker.publish(
                    record.topic, String(decoding: record.encoded(historical: false), as: UTF8.self))
            }
            #expect(await matcher.said("stays located with a survey"))
            #expect(await matcher.stop() == 0)
            let badge = try #require(SubjectIdentity(BadgeRecords.badge(1)))
            let number = try #require(try store.numbers(of: [badge])[badge])
            let stays = try store.locatedStays(of: number, from: 0, to: .max)
            #expect(stays.first?.room == "HB 2.11" && stays.first?.isSurveyed == true, "\(stays)")
        }
    }

    @Test func `Erasing a badge takes its stays, and the survey in which it was carried`() async throws {
        let directory = try TemporaryDirectory()
        let (config, _, _) = try await SurveyedFloor.prepared(directory)
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        let badge = try #require(SubjectIdentity(BadgeRecords.badge(1)))
        let number = try #require(try store.numbers(of: [badge])[badge])
        #expect(try !store.locatedStays(of: number, from: 0, to: .max).isEmpty)
        let erased = try await TestMatcher.run(["erase", BadgeRecords.badge(1), "--yes", "--config", config])
        #expect(erased.status == 0, "\(erased.output) \(erased.errorOutput)")
        #expect(erased.output.contains { $0.contains("located stay") }, "\(erased.output)")
        #expect(try store.locatedStays(of: number, from: 0, to: .max).isEmpty)
        let asked = try await TestMatcher.run(["erase", BadgeRecords.badge(99), "--config", config])
        #expect(asked.output.contains { $0.hasPrefix("15 spots of surveys at which it was carried") }, "\(asked)")
        let carried = try await TestMatcher.run(["erase", BadgeRecords.badge(99), "--yes", "--config", config])
        #expect(carried.status == 0, "\(carried.errorOutput)")
        #expect(try store.surveySpots().isEmpty)
    }

    @Test func `A survey is listed, checked and removed`() async throws {
        let directory = try TemporaryDirectory()
        let (config, _, _) = try await SurveyedFloor.prepared(directory)
        let list = try await TestMatcher.run(["survey", "--config", config])
        #expect(list.output.count == 16)
        #expect(list.output[0].split(separator: " ").first == "SPOT")
        #expect(list.output[1].contains("West") && list.output[1].contains("campus/main/1"), "\(list.output[1])")
        let check = try await TestMatcher.run(["survey", "check", "--config", config])
        #expect(check.output.first?.hasPrefix("campus/main: survey used on 1 floor: error ") == true, "\(check.output)")
        let figures = check.output.suffix(3).map { String($0.prefix(5)) }
        #expect(check.output.count == 5 && figures == ["right", "mean ", "spots"], "\(check.output)")
        let one = try await TestMatcher.run(["survey", "remove", "1", "77", "--config", config])
        #expect(one.status == 64)
        #expect(one.output == ["removed 1 spot"])
        #expect(one.errorOutput.contains { $0.contains("there is no spot 77") }, "\(one.errorOutput)")
        let all = try await TestMatcher.run(["survey", "remove", "--floor", "campus/main/1", "--config", config])
        #expect(all.output == ["removed 14 spots"])
    }

    @Test func `A survey that contradicts itself is not used`() async throws {
        let directory = try TemporaryDirectory()
        let config = try SurveyedFloor.configuration(directory)
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        let spots = SurveyedFloor.spots()
        // Somebody walked through the rooms in another order than they said.
        for (index, spot) in spots.enumerated() {
            var wrong = spot
            wrong.signals = spots[(index * 4 + 7) % spots.count].signals
            _ = try store.add(wrong)
        }
        let file = try directory.write("records.jsonl", SurveyedFloor.lines(minutes: 0..<2))
        _ = try await TestMatcher.run(["import", file, "--config", config, "--as-of", "2026-11-02T12:00:00Z"])
        let check = try await TestMatcher.run(["survey", "check", "--config", config])
        #expect(check.output.first?.hasPrefix("campus/main: survey not used, it ") == true, "\(check.output)")
    }
}
