import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import GatewayCoreTests

/// Captures against schedules, through the built program.
@Suite(.timeLimit(.minutes(10))) struct EvaluateCommandTests {
    private func evaluate(
        _ arguments: String...
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), ["evaluate"] + arguments)
    }

    private let phones = EvaluateFixture.directory + "phones.toml"

    /// A schedule that counts from the first packet, and in which the badge stays.
    private static let badge = """
        [[device]]
        name = "badge"
        address = "C0:11:22:33:44:01"
        [[device.phase]]
        state = "worn"
        in-range = "+0s"

        """

    private func steady(_ seconds: Int, from first: Int = 0) -> [UInt8] {
        var capture = Capture()
        for second in first..<(first + seconds) {
            capture.time = EvaluateFixture.begin + .seconds(second)
            capture.addBeacon()
        }
        return capture.bytes
    }

    @Test("A capture in which something doesn't hold is status 1, with the tables and the HTML that are expected")
    func fails() async throws {
        let directory = try TemporaryDirectory()
        let air = try directory.write("air.btsnoop", EvaluateFixture.capture.bytes)
        let html = directory.path + "/report.html"
        let result = try await evaluate(phones, air, "--html", html)
        #expect(result.status == 1, "\(result.errorOutput)")
        #expect(result.output.joined(separator: "\n") + "\n" == (try EvaluateFixture.text("phones.txt")))
        let written = String(decoding: try FileContents.read(html, limit: 1_000_000), as: UTF8.self)
        #expect(written == (try EvaluateFixture.text("phones.html")))
    }

    @Test("When everything holds the status is 0, with --json too")
    func holds() async throws {
        let directory = try TemporaryDirectory()
        let schedule = try directory.write("badge.toml", Self.badge)
        let air = try directory.write("air.btsnoop", steady(100))
        let text = try await evaluate(schedule, air)
        #expect(text.status == 0, "\(text.errorOutput)")
        #expect(text.output.contains { $0.hasPrefix("worn") && $0.contains("yes") })
        let json = try await evaluate(schedule, "--replay", air, "--json")
        #expect(json.status == 0)
        #expect(json.output.count == 1 && json.output[0].contains("\"holds\":true"), "\(json.output)")
    }

    @Test("Several captures are taken in the order of their packets")
    func several() async throws {
        let directory = try TemporaryDirectory()
        let schedule = try directory.write("badge.toml", Self.badge)
        let late = try directory.write("air.btsnoop", steady(100, from: 110))
        let early = try directory.write("air.1.btsnoop", steady(100))
        let result = try await evaluate(schedule, late, early, "--json")
        #expect(result.status == 0)
        #expect(result.output.first?.contains("\"readings\":200") == true, "\(result.output)")
        // The pause of 11 s is less than a window: the receiver listened.
        #expect(result.output.first?.contains("\"longestGap\":11,") == true, "\(result.output)")
    }

    @Test("What is before the damage of a capture is told, and then the damage")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let schedule = try directory.write("badge.toml", Self.badge)
        let air = try directory.write("air.btsnoop", steady(100).dropLast(1) + [])
        let result = try await evaluate(schedule, air, "--json")
        #expect(result.status == 65)
        #expect(result.output.first?.contains("\"readings\":99") == true, "\(result.output)")
        #expect(result.errorOutput.first?.contains("ends inside the record") == true)
    }

    @Test("A capture of another day is said to be one")
    func anotherDay() async throws {
        let directory = try TemporaryDirectory()
        let air = try directory.write("air.btsnoop", steady(10, from: 86_400))
        let result = try await evaluate(phones, air)
        #expect(result.status == 65)
        #expect(result.errorOutput.first == "error: the received packets do not cover any part of the schedule")
        #expect(result.errorOutput.contains { $0.contains("2020-11-16T12:00:00.000Z") }, "\(result.errorOutput)")
    }

    @Test("A wrong schedule is status 78 with its line, and nothing is written")
    func wrong() async throws {
        let directory = try TemporaryDirectory()
        let schedule = try directory.write("wrong.toml", Self.badge.replacing("state", with: "stat"))
        let result = try await evaluate(schedule, "/nonexistent", "--html", directory.path + "/r.html")
        #expect(result.status == 78)
        #expect(result.errorOutput.contains { $0.contains("wrong.toml:5:1: device[0].phase[0].stat: is unknown") })
        #expect(directory.names == ["wrong.toml"])
        #expect(try await evaluate(directory.path + "/none.toml", "x").status == 78)
    }

    @Test("HTML that couldn't be written is status 74, before anything is heard")
    func unwritable() async throws {
        let directory = try TemporaryDirectory()
        let air = try directory.write("air.btsnoop", EvaluateFixture.capture.bytes)
        let result = try await evaluate(phones, air, "--html", directory.path + "/none/report.html")
        #expect(result.status == 74, "\(result.errorOutput)")
        #expect(result.output == [])
    }

    @Test("A capture that is named twice is refused, because its readings would count twice")
    func twice() async throws {
        let directory = try TemporaryDirectory()
        let air = try directory.write("air.btsnoop", EvaluateFixture.capture.bytes)
        let result = try await evaluate(phones, air, air)
        #expect(result.status == 64)
        #expect(result.errorOutput.contains { $0.contains("is given twice") }, "\(result.errorOutput)")
    }

    @Test("A capture takes no options of an adapter, and HTML no other file's name")
    func usage() async throws {
        #expect(try await evaluate(phones, "x", "--adapter", "hci0").status == 64)
        #expect(try await evaluate(phones, "x", "--html", "air.btsnoop").status == 64)
    }

    @Test("Without a capture it takes an adapter", .enabled(if: access("/sys/class/bluetooth", F_OK) != 0))
    func live() async throws {
        let result = try await evaluate(phones, "--path", "raw")
        #expect(result.status == 69, "\(result)")
    }
}
