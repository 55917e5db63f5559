import BeaconModel
import InteractionStore
import RecordContract
import SystemIO
import TestSupport
import Testing

/// The commands of attendance, as people call them.
@Suite(.timeLimit(.minutes(10))) struct AttendanceCommandTests {
    private static let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)
    private static let place = Place(
        site: "campus", building: "main", floor: "2", gateway: "hb-211", room: "HB 2.11",
        beacon: BeaconID(uuid: uuid, major: 9, minor: 9))
    /// 2026-11-02T08:00:00Z, a Monday: 09:00 in Berlin, when the lecture begins.
    private static let morning = Timestamp(microseconds: 1_793_606_400 * 1_000_000)

    /// Badges' interactions from one minute of the lecture to another, two metres from the gateway.
    private static func records(_ stays: [(badge: UInt16, minutes: ClosedRange<Int64>)]) -> String {
        var factory = RecordFactory(
            place: place, boot: 1, topics: Topics(prefix: "beacons", place: place), pseudonymizer: nil)
        return stays.enumerated().compactMap { index, stay in
            let start = morning + .seconds(stay.minutes.lowerBound * 60)
            let end = morning + .seconds(stay.minutes.upperBound * 60)
            let interaction = Interaction(
                number: UInt64(index) + 1, continues: nil,
                subject: .beacon(BeaconID(uuid: uuid, major: 1, minor: stay.badge)), startedAt: start, lastSeenAt: end,
                ending: .init(at: end, reason: .departed), samples: 100,
                rssi: .init(median: -60, minimum: -70, maximum: -50),
                distance: DistanceEstimate(
                    metres: 2, lower: 1.5, upper: 3, probabilityWithin: Within(threeMetres: 0.9, sixMetres: 1)),
                proximity: .near, expectedMinutesWithin: Within(threeMetres: 1, sixMetres: 1),
                reception: .init(interval: 0.1, heardShare: 1, silence: .seconds(10)))
            return factory.record(
                for: InteractionEvent(kind: .ended, time: end, interaction: interaction), clockIsSynchronized: true
            ).map { String(decoding: $0.encoded(historical: false), as: UTF8.self) }
        }.joined(separator: "\n") + "\n"
    }

    /// Monday's lecture was held; Tuesday's at the same time wasn't yet; Friday's is in another room.
    private static let timetable = """
        BEGIN:VCALENDAR
        VERSION:2.0
        BEGIN:VEVENT
        UID:algo
        DTSTART;TZID=Europe/Berlin:20261102T090000
        DTEND;TZID=Europe/Berlin:20261102T103000
        RRULE:FREQ=DAILY;COUNT=2
        SUMMARY:Algorithms
        LOCATION:HB 2.11
        END:VEVENT
        BEGIN:VEVENT
        UID:extra
        DTSTART;TZID=Europe/Berlin:20261106T090000
        DURATION:PT1H
        SUMMARY:Algorithms
        LOCATION:Aula
        END:VEVENT
        END:VCALENDAR
        """

    private static func roster(_ more: String = "") -> String {
        let badges = (1...4).map { "Algorithms,s\($0),badge:\(uuid)/1/\($0),\($0 == 1 ? "=Ann" : "Student \($0)")" }
        return "course,student,subject,name\n" + badges.joined(separator: "\n") + "\n" + more
    }

    private static func write(
        _ directory: TemporaryDirectory, roster: String = roster(), timetable: String = timetable
    ) throws -> [String] {
        let ics = try directory.write("timetable.ics", timetable)
        let csv = try directory.write("roster.csv", roster)
        let toml = try directory.write(
            "matcher.toml",
            """
            [store]
            location = "\(directory.path)/s.sqlite"
            [[rooms]]
            name = "HB 2.11"
            beacons = ["\(uuid)/9/9"]
            [attendance]
            timetable-files = ["\(ics)"]
            roster-file = "\(csv)"
            [site]
            time-zone = "Europe/Berlin"
            """)
        return ["--config", toml, "--as-of", "2026-11-02T12:00:00Z"]
    }

    /// With the lecture's records: s1 is there all the time, s2 from minute 20, s3 until 60, s4 for nine minutes.
    private static func prepared(_ directory: TemporaryDirectory) async throws -> [String] {
        let options = try write(directory)
        let file = try directory.write(
            "records.jsonl", records([(1, 0...90), (2, 20...89), (3, 1...60), (4, 30...39)]))
        #expect(try await TestMatcher.run(["import", file] + options).status == 0)
        return options
    }

    @Test func `Who was there is a table with percentages`() async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(directory)
        let report = try await TestMatcher.run(["attendance"] + options)
        #expect(report.status == 0, "\(report.errorOutput)")
        #expect(
            report.output == [
                "LECTURE (Europe/Berlin)  COURSE      ROOM     STUDENT         STATUS      FROM   TO     MINUTES  WHY",
                "2026-11-02 09:00         Algorithms  HB 2.11  s1 (=Ann)       present     09:00  10:30     90.0",
                "2026-11-02 09:00         Algorithms  HB 2.11  s2 (Student 2)  late        09:20  10:29     69.0  "
                    + "came 20 min after the beginning",
                "2026-11-02 09:00         Algorithms  HB 2.11  s3 (Student 3)  left-early  09:01  10:00     59.0  "
                    + "left 30 min before the end",
                "2026-11-02 09:00         Algorithms  HB 2.11  s4 (Student 4)  absent      09:30  09:39      9.0  "
                    + "in the room for 9 min, less than 10 min",
                "",
                "COURSE      STUDENT         ATTENDED  OF  PERCENT  LATE  LEFT EARLY  EXCUSED  UNKNOWN",
                "Algorithms  s1 (=Ann)              1   1    100 %     0           0        0        0",
                "Algorithms  s2 (Student 2)         1   1    100 %     1           0        0        0",
                "Algorithms  s3 (Student 3)         1   1    100 %     0           1        0        0",
                "Algorithms  s4 (Student 4)         0   1      0 %     0           0        0        0",
                "Algorithms  (all)                  3   4     75 %     1           1        0        0",
            ])
        let one = try await TestMatcher.run(["attendance", "report", "--student", "s4", "--totals"] + options)
        #expect(one.output.count == 2)
    }

    @Test func `Whose attendance is shown, exported and corrected is in the audit`() async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(directory)
        for command in [
            ["report"], ["report", "--course", "Algorithms", "--csv"], ["report", "--student", "s4", "--totals"],
            [
                "correct", "--lecture", "algo/2026-11-02T08:00:00Z", "--student", "s4", "--status", "present",
                "--reason", "r", "--by", "b",
            ], ["corrections"], ["settle"],
        ] {
            let result = try await TestMatcher.run(["attendance"] + command + options)
            #expect(result.status == 0, "\(result)")
        }
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        let entries = try store.audit(limit: 100).reversed().map {
            "\($0.entry.action.rawValue); \($0.entry.object); \($0.entry.detail)"
        }
        #expect(
            entries == [
                "saw attendance; ; all lectures of all students",
                "exported; Algorithms; all lectures of all students",
                "saw attendance; s4; percentages of the student",
                "corrected attendance; algo/2026-11-02T08:00:00Z; s4: present",
                "saw attendance; ; corrections of all courses",
            ])
    }

    @Test func `A spreadsheet gets lines without formulas, a program gets JSON`() async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(directory)
        let csv = try await TestMatcher.run(["attendance", "--csv", "--student", "s1"] + options)
        #expect(csv.output.count == 2)
        #expect(
            csv.output.last
                == "algo/2026-11-02T08:00:00Z,Algorithms,Algorithms,HB 2.11,2026-11-02T08:00:00Z,2026-11-02T09:30:00Z,"
                + "s1,'=Ann,present,present,2026-11-02T08:00:00Z,2026-11-02T09:30:00Z,90.0,,,,,")
        let json = try await TestMatcher.run(["attendance", "--json", "--course", "algorithms"] + options)
        let told = try json.output.map { try JSON.decode(Told.self, from: Array($0.utf8)) }
        #expect(told.map(\.status) == ["present", "late", "left-early", "absent"])
        #expect(told.map(\.minutes) == [90, 69, 59, 9])
        #expect(told.last?.explanation == ["in the room for 9 min, less than 10 min"])
        let totals = try await TestMatcher.run(["attendance", "--json", "--totals"] + options)
        #expect(totals.output.last?.contains("\"percent\":75") == true, "\(totals.output)")
    }

    private struct Told: Decodable {
        var status: String
        var minutes: Double
        var explanation: [String]
    }

    @Test func `A correction counts, and says who made it and why`() async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(directory)
        func correct(_ status: String, _ reason: String) async throws -> (status: Int32, output: [String]) {
            let result = try await TestMatcher.run(
                [
                    "attendance", "correct", "--lecture", "algo/2026-11-02T08:00:00Z", "--student", "s4", "--status",
                    status, "--reason", reason, "--by", "Dr. Rot",
                ] + options)
            return (result.status, result.output)
        }
        #expect(
            try await correct("present", "badge left at home").output == [
                "algo/2026-11-02T08:00:00Z: s4 was absent, is present now"
            ])
        #expect(
            try await correct("excused", "ill").output == ["algo/2026-11-02T08:00:00Z: s4 was present, is excused now"])
        let audit = try await TestMatcher.run(["attendance", "corrections"] + options)
        #expect(
            audit.output.dropFirst() == [
                "2026-11-02 13:00    Dr. Rot  algo/2026-11-02T08:00:00Z  s4       absent   present  badge left at home",
                "2026-11-02 13:00    Dr. Rot  algo/2026-11-02T08:00:00Z  s4       present  excused  ill",
            ])
        let report = try await TestMatcher.run(["attendance", "--student", "s4"] + options)
        #expect(report.output.contains { $0.hasSuffix("corrected from present by Dr. Rot: ill") })
        #expect(report.output.last?.hasSuffix("0   0        -     0           0        1        0") == true)
        #expect(try await correct("unknown", "x").status == 64)
        #expect(try await correct("present", " ").status == 64)
    }

    @Test func `A roster without students is said, and no answer is given`() async throws {
        let directory = try TemporaryDirectory()
        _ = try await Self.prepared(directory)
        let options = try Self.write(directory, roster: "course,student,subject,name\n")
        for command in ["report", "check"] {
            let result = try await TestMatcher.run(["attendance", command] + options)
            #expect(result.status == 65, "\(result)")
            #expect(result.output.isEmpty)
            #expect(result.errorOutput.contains { $0.contains("has no students") }, "\(result.errorOutput)")
        }
    }

    @Test func `The timetable shows its rooms, and what isn't known of them`() async throws {
        let directory = try TemporaryDirectory()
        let options = try Self.write(directory, roster: Self.roster("Analysis,s1,,\n"))
        let lectures = try await TestMatcher.run(["attendance", "lectures", "--from", "2026-11-02"] + options)
        #expect(
            lectures.output == [
                "FROM (Europe/Berlin)  TO     COURSE      ROOM                   STUDENTS  ID",
                "2026-11-02 09:00      10:30  Algorithms  HB 2.11                       4  algo/2026-11-02T08:00:00Z",
                "2026-11-03 09:00      10:30  Algorithms  HB 2.11                       4  algo/2026-11-03T08:00:00Z",
                "2026-11-06 09:00      10:00  Algorithms  Aula (not configured)         4  extra",
            ])
        let check = try await TestMatcher.run(["attendance", "check"] + options)
        #expect(check.status == 0)
        #expect(
            check.errorOutput.first?.hasPrefix(
                "note: uploaded files, and whether the roster names gateways' own beacons, were not checked: ")
                == true)
        #expect(
            check.errorOutput.dropFirst() == [
                "note: the room \"Aula\" of 1 lecture is not in [[rooms]]",
                "note: the timetable has no lectures of the course \"Analysis\"",
                "timetable and roster are valid: 3 lectures, 2 courses, 4 students",
            ])
    }

    @Test func `A lecture in a room that isn't configured is said once, and nobody of it is absent`() async throws {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(directory).dropLast(2) + ["--as-of", "2026-11-07"]
        let report = try await TestMatcher.run(["attendance", "--from", "2026-11-06", "--csv"] + options)
        #expect(report.status == 0)
        #expect(report.errorOutput == ["note: the room \"Aula\" is not in [[rooms]]"])
        #expect(report.output.count == 5)
        #expect(report.output.dropFirst().allSatisfy { $0.contains(",unknown,") })
        #expect(report.output.last?.hasSuffix("the room Aula is not in [[rooms]] of the configuration,") == true)
    }

    @Test func `Every mistake of timetable and roster is said at once`() async throws {
        let directory = try TemporaryDirectory()
        let options = try Self.write(
            directory, roster: Self.roster("Algorithms,s5,badge,\n"),
            timetable: Self.timetable.replacing("Europe/Berlin:20261106", with: "Nowhere/Land:20261106"))
        let check = try await TestMatcher.run(["attendance", "check"] + options)
        #expect(check.status == 65)
        let said = check.errorOutput.joined(separator: "\n")
        #expect(said.contains("timetable.ics: line 11: DTSTART is in the zone \"Nowhere/Land\""), "\(said)")
        #expect(said.contains("roster.csv: line 6, column subject: found \"badge\""), "\(said)")
    }

    @Test(
        "Wrong usage says what is meant",
        arguments: [
            (["report", "--course", "Poetry"], 64, "the roster has no course \"Poetry\""),
            (["report", "--student", "s9"], 64, "the roster has no student \"s9\""),
            (["report", "--csv", "--json"], 64, "specify --csv or --json, not both"),
            (["report", "--from", "2026-11-03", "--to", "2026-11-02"], 64, "--from must not be after --to"),
            (
                ["correct", "--lecture", "x", "--student", "s1", "--status", "absent", "--reason", "r", "--by", "b"],
                64,
                "the timetable has no lecture \"x\""
            ),
            (
                [
                    "correct", "--lecture", "extra", "--student", "s9", "--status", "absent", "--reason", "r", "--by",
                    "b",
                ],
                64, "the roster has no student \"s9\" in the course \"Algorithms\""
            ),
        ])
    func usage(arguments: [String], status: Int32, text: String) async throws {
        let directory = try TemporaryDirectory()
        let result = try await TestMatcher.run(["attendance"] + arguments + Self.write(directory))
        #expect(result.status == status)
        #expect(result.errorOutput.joined(separator: " ").contains(text), "\(result.errorOutput)")
    }

    @Test func `The daemon writes down who attended, and corrections can be seen while the timetable is damaged`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let options = try await Self.prepared(directory)
        let matcher = try TestMatcher(options[1])
        #expect(await matcher.said("attendance saved"))
        #expect(await matcher.stop() == 0)
        _ = try directory.write("timetable.ics", "nothing")
        let report = try await TestMatcher.run(["attendance"] + options)
        #expect(report.status == 65)
        let audit = try await TestMatcher.run(["attendance", "corrections"] + options)
        #expect(audit.status == 0)
        let damaged = try TestMatcher(options[1])
        #expect(await damaged.said("attendance not saved"))
        #expect(await damaged.stop() == 0)
    }

    @Test func `The guide shows what the program prints`() async throws {
        let guide = try String(
            decoding: FileContents.read("docs/guide/matcher/attendance.md", limit: 1_000_000), as: UTF8.self)
        let example = "Tests/MatcherTests/Lectures/"
        let directory = try TemporaryDirectory()
        let configuration = try String(
            decoding: FileContents.read(example + "matcher.toml", limit: 10_000), as: UTF8.self)
        #expect(guide.contains(configuration))
        for name in ["timetable.ics", "roster.csv"] {
            _ = try directory.write(
                name, String(decoding: FileContents.read(example + name, limit: 100_000), as: UTF8.self))
        }
        let file = try directory.write(
            "m.toml", configuration.replacing("/tmp/store.sqlite", with: directory.path + "/store.sqlite"))
        let options = ["--config", file, "--as-of", "2026-11-10"]
        let imported = try await TestMatcher.run(["import", example + "records.jsonl"] + options)
        let report = try await TestMatcher.run(["attendance"] + options)
        let corrected = try await TestMatcher.run(
            [
                "attendance", "correct", "--lecture", "inf-101/2026-11-02T09:00:00Z", "--student", "1003", "--status",
                "excused", "--reason", "doctor", "--by", "Dr. Rot",
            ] + options)
        let audit = try await TestMatcher.run(["attendance", "corrections"] + options)
        for result in [imported, report, corrected, audit] {
            #expect(result.status == 0)
            #expect(guide.contains(result.output.joined(separator: "\n")), "\(result.output)")
        }
    }

    @Test func `Without the table there is no attendance`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("m.toml", "[store]\nlocation = \"\(directory.path)/s.sqlite\"\n")
        let result = try await TestMatcher.run(["attendance", "--config", file])
        #expect(result.status == 78)
        #expect(result.errorOutput.first == "error: \(file) has no [attendance] table")
    }
}
