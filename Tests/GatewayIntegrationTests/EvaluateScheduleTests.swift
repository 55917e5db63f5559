import BeaconModel
import TestValues
import Testing

@testable import Diagnostics

/// Schedules as people write them, and what is said of mistakes in them.
@Suite("Evaluation schedules") struct EvaluateScheduleTests {
    private static let device = """
        [[device]]
        name = "a"
        address = "C0:11:22:33:44:01"

        """

    /// A schedule of one device, whose phases begin on line 4.
    private func problems(_ phases: String, head: String = "") -> [String] {
        EvaluateFixture.problems(head + Self.device + phases)
    }

    private func phase(_ inRange: String, _ outOfRange: String?) -> String {
        "[[device.phase]]\nstate = \"s\"\nin-range = \"\(inRange)\"\n"
            + (outOfRange.map { "out-of-range = \"\($0)\"\n" } ?? "")
    }

    @Test("A table of a spreadsheet says the same as TOML")
    func csv() throws {
        let schedule = try EvaluateFixture.schedule("phones.toml")
        #expect(try EvaluateFixture.schedule("phones.csv") == schedule)
        #expect(schedule.devices.map(\.name) == ["iPhone 12", "Pixel <4>"])
        #expect(schedule.devices[1].phases[0].inRange == .seconds(10))
        #expect(schedule.devices[1].phases[2].outOfRange == nil)
        #expect(schedule.requiredWindow == .seconds(30) && schedule.discoveryLimit == .seconds(60))
        #expect(schedule.receiver == "gw-3a" && schedule.receiverState == "scanning")
    }

    @Test("The example of the guide is good, and its report is the one that is expected")
    func readme() throws {
        let guide = String(
            decoding: try Repository.read("docs/guide/field-test.md"), as: UTF8.self)
        let begin = try #require(guide.firstRange(of: "$ cat phones.toml\n"))
        let rest = guide[begin.upperBound...]
        let end = try #require(rest.firstRange(of: "...\n"))
        let example = try EvaluationSchedule.parse(Array(rest[..<end.lowerBound].utf8), path: "phones.toml")
        var shown = try EvaluateFixture.schedule()
        shown.devices.removeLast()
        shown.devices[0].phases.removeLast()
        #expect(example == shown)
        #expect(rest.contains(try EvaluateFixture.text("phones.txt")))
    }

    @Test(
        "Times are dates or what a stopwatch shows",
        arguments: [
            ("+90s", .after(.seconds(90))), ("+5m", .after(.seconds(300))), ("+1.5s", .after(.milliseconds(1500))),
            ("+12:30", .after(.seconds(750))), ("+90:00", .after(.seconds(5400))),
            ("+1:02:03", .after(.seconds(3723))),
            ("1970-01-01T00:00:00Z", .at(.epoch)),
            ("2020-11-15T12:00:00Z", .at(EvaluateFixture.begin)),
            ("2020-11-15t13:30:00.25+01:30", .at(EvaluateFixture.begin + .milliseconds(250))),
            ("2020-11-15T07:00:00.000000999-05:00", .at(EvaluateFixture.begin)),
            ("2024-02-29T00:00:00Z", .at(Timestamp(microseconds: 1_709_164_800_000_000))),
            ("9999-12-31T23:59:59.999999Z", .at(.latest)),
        ] as [(String, ScheduleTime)])
    func times(text: String, time: ScheduleTime) { #expect(ScheduleTime(text) == time) }

    @Test(
        "What is no time is none",
        arguments: [
            "", "+", "90s", "+90", "-90s", "+-90s", "+1:2", "+1:60", "+1:60:00", "+:30", "+1:02:03:04", "+99999:00",
            "12:30", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+1:00", "1969-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "1970-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-23:59", "２026-01-01T00:00:00Z", "+1e9s", "+999999999999999999999s",
        ])
    func noTimes(text: String) { #expect(ScheduleTime(text) == nil) }

    @Test("Overlapping phases, a phase after an open one, and one that ends before it begins are said with their lines")
    func overlaps() {
        let overlapping = problems(phase("+0s", "+10s") + phase("+9s", "+20s"))
        #expect(
            overlapping == [
                "a.toml:10:1: device[0].phase[1].in-range: overlaps the preceding phase of \"a\"; must not be before "
                    + "that phase's out-of-range; write phases in chronological order"
            ])
        let open = problems(phase("+0s", nil) + phase("+9s", "+20s"))
        #expect(
            open.first?.hasPrefix(
                "a.toml:9:1: device[0].phase[1].in-range: follows a phase of \"a\" without out-of-range")
                == true)
        let backwards = problems(phase("+9s", "+9s"))
        #expect(backwards == ["a.toml:7:1: device[0].phase[0].out-of-range: is not after in-range; must be later"])
        let header = "device,address,state,in-range,out-of-range\n"
        let csv = EvaluateFixture.problems(
            header + "a,C0:11:22:33:44:01,s,+0s,+10s\nb,C0:11:22:33:44:02,s,+0s,+1s\na,,t,+9s,+20s\n", "a.csv")
        #expect(csv.count == 1)
        #expect(
            csv.first?.hasPrefix("a.csv: line 4 (a), column in-range: overlaps the preceding phase of \"a\"") == true)
    }

    @Test("Times more than a year from the start are refused, and dates beside offsets without a start")
    func far() {
        let start = "start = \"2026-01-01T00:00:00Z\"\n"
        #expect(
            problems(phase("2027-01-03T00:00:00Z", nil), head: start) == [
                "a.toml:7:1: device[0].phase[0].in-range: is more than a year from the start; must be within a year of it"
            ])
        #expect(problems(phase("2024-12-30T00:00:00Z", nil), head: start).count == 1)
        #expect(problems(phase("2027-01-01T00:00:00Z", nil), head: start) == [])
        #expect(problems(phase("+8785h", nil)).count == 1)
        #expect(problems(phase("+5s", nil), head: "start = \"+5s\"\n").count == 1)
        let mixed = problems(phase("+0s", "2026-01-01T00:00:00Z"))
        #expect(mixed.first?.contains("found a date in a schedule without a start") == true, "\(mixed)")
        #expect(problems(phase("2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z")) == [])
    }

    @Test("Misspelt keys, missing ones and wrong values are all said, each with its line")
    func mistakes() {
        let text = """
            reciever = "x"
            required-window = 30
            [[device]]
            name = "a"
            address = "C0:11"
            identities = ["x", "C0:11:22:33:44:01"]
            colour = "red"
            [[device.phase]]
            state = "s\\u001b"
            in-range = "soon"
            [[device]]
            name = "b"
            address = "C0:11:22:33:44:02"
            """
        let expected = [
            "a.toml:2:1: required-window: found a whole number; must be a string in quotes",
            "a.toml:1:1: reciever: is unknown; the keys of this table are device, discovery-limit, receiver, "
                + "required-window, start",
            "a.toml:5:1: device[0].address: found \"C0:11\"; must be six bytes: AA:BB:CC:DD:EE:FF",
            "a.toml:6:1: device[0].identities: found \"x\"; must be \(EvaluationSchedule.Identity.form)",
            "a.toml:9:1: device[0].phase[0].state: found \"s?\"; must be 1 to 60 visible characters",
            "a.toml:10:1: device[0].phase[0].in-range: found \"soon\"; must be \(ScheduleTime.form)",
            "a.toml:7:1: device[0].colour: is unknown; the keys of this table are address, beacon, identifier, "
                + "identities, name, phase",
            "a.toml:11:3: device[1].phase: is missing; must be given at least once",
        ]
        #expect(EvaluateFixture.problems(text) == expected)
        #expect(
            EvaluateFixture.problems("[[device]\n").first?.hasPrefix("a.toml:1:10: found the end of the line") == true)
        #expect(
            EvaluateFixture.problems("start = 2026-11-21T10:00:00Z")
                == [
                    "a.toml:1:1: start: found a date or time; must be a string in quotes",
                    "a.toml: device: is missing; must be a list of tables: [[device]]",
                ])
        #expect(EvaluateFixture.problems("", "a.txt").first?.contains(".toml or .csv") == true)
    }

    @Test("Mistakes in a table are said with line and column")
    func csvMistakes() {
        let header = "device,address,state,in-range,receiver\n"
        #expect(
            EvaluateFixture.problems(header + "a,C0:11:22:33:44:01,s,soon,r\na,,,+5s,q\n,,s,+9s,\n", "a.csv") == [
                "a.csv: line 3 (a), column receiver: differs from a line above; must be given once, or be the same",
                "a.csv: line 2 (a), column in-range: found \"soon\"; must be \(ScheduleTime.form)",
                "a.csv: line 3 (a), column state: is empty; must be the device's state, in your words",
                "a.csv: line 4, column device: is empty; must be the device's name",
            ])
        #expect(EvaluateFixture.problems("", "a.csv").count == 1)
        #expect(
            EvaluateFixture.problems(header, "a.csv") == [
                "a.csv: file: has no phase; must have a line for each phase below the column names"
            ])
        let wrong = EvaluateFixture.problems("device,colour,device\n", "a.csv")
        #expect(wrong.count == 4, "\(wrong)")
    }

    @Test("An identity is one device's")
    func twice() {
        let other = Self.device.replacing("\"a\"", with: "\"b\"")
        let found = EvaluateFixture.problems(Self.device + phase("+0s", nil) + other + phase("+0s", nil))
        #expect(
            found == [
                "a.toml:7:3: device[1].identities: C0:11:22:33:44:01 also belongs to \"a\"; must belong to one device"
            ])
    }

    @Test("The number of devices, phases, and windows of a phase is bounded")
    func bounds() {
        func devices(_ count: Int) -> String {
            (0..<count).map {
                "[[device]]\nname = \"\($0)\"\nidentifier = \"\(String(repeating: "0", count: 28) + String(1000 + $0))\"\n"
                    + phase("+0s", "+1s")
            }.joined()
        }
        #expect(EvaluateFixture.problems(devices(256)) == [])
        #expect(
            EvaluateFixture.problems(devices(257)) == ["a.toml:1:3: device: has 257 devices; must have at most 256"])
        let rows = (0..<4097).map { "a,C0:11:22:33:44:01,s,+\($0)s,+\($0 + 1)s\n" }
        let header = "device,address,state,in-range,out-of-range\n"
        #expect(EvaluateFixture.problems(header + rows.dropLast().joined(), "a.csv") == [])
        #expect(
            EvaluateFixture.problems(header + rows.joined(), "a.csv")
                == ["a.csv: file: has 4097 phases; must have at most 4096"])
        #expect(problems(phase("+0s", "+169h")).first?.contains("more than 20160 times the required-window") == true)
        #expect(problems(phase("+0s", "+168h")) == [])
    }

    @Test("Random changes of a good schedule never trap", arguments: ["phones.toml", "phones.csv"])
    func mutations(name: String) throws {
        var generator = SeededGenerator("EvaluateScheduleTests \(name)")
        let good = Array(try EvaluateFixture.text(name).utf8)
        let pieces = [
            "\"", "[[", "]]", "=", "\n", ";", "+", "-1", "9999-12-31T23:59:59Z", "+99999h", "{", "'", "\u{85}", "é",
        ]
        for _ in 0..<1000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
                let piece = pieces.randomElement(using: &generator) ?? ""
                bytes.replaceSubrange(place..<end, with: Bool.random(using: &generator) ? Array(piece.utf8) : [])
            }
            guard let schedule = try? EvaluationSchedule.parse(bytes, path: name) else { continue }
            var evaluation = Evaluation(schedule)
            evaluation.listen(at: EvaluateFixture.begin)
            evaluation.listen(at: EvaluateFixture.begin + .seconds(400))
            #expect(evaluation.result().devices.count == schedule.devices.count, generator.comment)
            #expect(schedule.devices.allSatisfy { !$0.phases.isEmpty && !$0.identities.isEmpty }, generator.comment)
        }
    }
}
