import BeaconModel
import Glibc
import Proximity
import SystemIO
import TestSupport
import Testing

@testable import GatewayCore
@testable import GatewayCoreTests

/// `calibrate` with captures, through the built program.
@Suite(.timeLimit(.minutes(10))) struct CalibrateCommandTests {
    private static let scriptInstalled = access("/usr/bin/script", X_OK) == 0
    private static let program = BuiltProgram.path("beacon-gateway")
    private static let badge = "\(Capture.badge)"

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var table: String { directory.path + "/calibration.toml" }

    private func calibrate(
        _ arguments: [String]
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(Self.program, ["calibrate", "--output", table] + arguments)
    }

    /// So many seconds of the badge, ten packets a second, alternating 1 dB around `rssi`; and another beacon.
    private func capture(_ name: String, _ rssi: Int8, seconds: Int = 25) throws -> String {
        var capture = Capture()
        for index in 0..<(10 * seconds) {
            capture.addBeacon(rssi: index % 2 == 0 ? rssi - 1 : rssi + 1, after: .milliseconds(100))
        }
        capture.addBeacon(BeaconID(uuid: Capture.badge.uuid, major: 7, minor: 1), rssi: -80)
        return try directory.write(name, capture.bytes)
    }

    private func read() throws -> Calibration {
        try CalibrationFile.parse(FileContents.read(table, limit: 100_000), path: table)
    }

    @Test("A capture at 1 m gives the beacon's row")
    func beacon() async throws {
        let result = try await calibrate(["--replay", try capture("1m", -63), "--beacon", Self.badge])
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(
            result.output == [
                "measuring at 1 m",
                "5 s, 51 packets, mean -63.0 dBm, spread 1.0 dB, error 0.3 dB  [#####...............] still needed: 15 s",
                "10 s, 101 packets, mean -63.0 dBm, spread 1.0 dB, error 0.3 dB  [##########..........] still needed: 10 s",
                "15 s, 151 packets, mean -63.0 dBm, spread 1.0 dB, error 0.3 dB  [###############.....] still needed: 5 s",
                "20 s, 201 packets, mean -63.0 dBm, spread 1.0 dB, error 0.3 dB  [####################] enough",
                "beacon     \(Self.badge), which advertises -59 dBm at 1 m",
                "at 1 m     -63.0 dBm, spread 1.0 dB, 201 packets in 20.0 s, standard error 0.3 dB",
                "result     -59.0 -> -63.0 dBm at 1 m: distances of this beacon so far were 1.6 times too long",
                "written    \(table): 1 beacon, 0 receivers",
                "hint       to make one of our modules advertise this: beacon-gateway provision --port PORT --uuid "
                    + "\(Capture.badge.uuid) --major 7 --minor 2603 --measured-power -63",
            ])
        let row = try read().beacons[Capture.badge]
        // The first packet is at 12:00:00.1, the last that counts 20 s later.
        #expect(
            row
                == BeaconCalibration(
                    measuredPower: -63, deviation: 1, samples: 201,
                    measuredAt: Timestamp(microseconds: 1_605_441_620_100_000)))
    }

    @Test("The table keeps its other rows")
    func merged() async throws {
        let other = BeaconID(uuid: Capture.badge.uuid, major: 1, minor: 1)
        var before = Calibration(
            beacons: [
                other: BeaconCalibration(measuredPower: -70, deviation: 1, samples: 30),
                Capture.badge: BeaconCalibration(measuredPower: -50, deviation: 1, samples: 30),
            ])
        _ = try directory.write("calibration.toml", CalibrationFile.text(before))
        let result = try await calibrate(["--replay", try capture("1m", -63), "--beacon", Self.badge])
        #expect(result.status == 0)
        #expect(result.output.contains { $0.hasPrefix("result     -50.0 -> -63.0 dBm") }, "\(result.output)")
        before.beacons[Capture.badge] = try read().beacons[Capture.badge]
        #expect(before.beacons[Capture.badge]?.measuredPower == -63)
        #expect(try read() == before)
    }

    @Test("Captures at 1 m and 3 m give the exponent too")
    func exponent() async throws {
        let result = try await calibrate([
            "--replay", try capture("1m", -60), "--also", "3m", "--replay-also", try capture("3m", -70), "--beacon",
            Self.badge,
        ])
        #expect(result.status == 0, "\(result.errorOutput)")
        // 10 dB / 4.7712 = 2.0959, drawn towards 2: the variances are (2 * 0.2887^2 + 8) / 22.764 = 0.35875 and 0.25;
        // 2 + 0.0959 * 0.25 / (0.25 + 0.35875) = 2.04.
        #expect(try read().beacons[Capture.badge]?.exponent == 2.04)
    }

    @Test("A receiver's offset is what it reads more than the beacon says")
    func receiver() async throws {
        let arguments = ["--replay", try capture("1m", -55), "--beacon", Self.badge, "--receiver"]
        let address = "00:1A:7D:DA:71:13"
        #expect(try await calibrate(arguments).status == 64)
        let result = try await calibrate(arguments + ["--receiver-address", address])
        #expect(result.status == 0, "\(result.errorOutput)")
        let row = try #require(try read().receivers[BluetoothAddress(bits: 0x001A_7DDA_7113)])
        #expect(row.offset == 4)
        #expect(try read().beacons.isEmpty)
    }

    @Test("Without --beacon the beacons of the capture are listed, the strongest first, with status 64")
    func list() async throws {
        let result = try await calibrate(["--replay", try capture("1m", -63)])
        #expect(result.status == 64)
        #expect(
            result.output.dropFirst() == [
                "1  \(Self.badge)  -63 dBm  -59 dBm      250",
                "2  \(Capture.badge.uuid)/7/1     -80 dBm  -59 dBm        1",
            ], "\(result.output)")
        #expect(result.errorOutput.contains("  what to do: select one with --beacon UUID/MAJOR/MINOR"))
        #expect(access(table, F_OK) != 0)
    }

    @Test("What gives no result is said with status 69, and nothing is written")
    func failures() async throws {
        let short = try await calibrate(["--replay", try capture("short", -63, seconds: 8), "--beacon", Self.badge])
        #expect(short.status == 69)
        #expect(short.errorOutput.first == "error: \(Self.badge) was received for only 7.9 s; expected at least 20 s")
        let never = try await calibrate([
            "--replay", try capture("1m", -63), "--beacon", "\(Capture.badge.uuid)/9/9",
        ])
        #expect(never.status == 69)
        #expect(never.errorOutput.first == "error: \(Capture.badge.uuid)/9/9 was not received")
        let weak = try await calibrate(["--replay", try capture("weak", -93), "--beacon", Self.badge])
        #expect(weak.status == 69)
        #expect(weak.errorOutput.first == "error: \(Self.badge) is too weak at 1 m: -93.0 dBm")
        let stronger = try await calibrate([
            "--replay", try capture("1m", -63), "--also", "3m", "--replay-also", try capture("3m", -60), "--beacon",
            Self.badge,
        ])
        #expect(stronger.status == 69)
        #expect(stronger.errorOutput.first?.hasPrefix("error: the beacon is stronger at 3 m (-60.0 dBm)") == true)
        #expect(access(table, F_OK) != 0)
    }

    @Test("A table that is wrong is said by line before anything is measured, and left as it is")
    func wrongTable() async throws {
        let text = "[[beacons]]\nmajor = 70000\n"
        _ = try directory.write("calibration.toml", text)
        let result = try await calibrate(["--replay", try capture("1m", -63), "--beacon", Self.badge])
        #expect(result.status == 78)
        #expect(result.output == [])
        #expect(
            result.errorOutput.contains("  \(table):2:1: beacons[0].major: found 70000; must be from 0 to 65535"),
            "\(result.errorOutput)")
        #expect(try FileContents.read(table, limit: 1000) == Array(text.utf8))
    }

    @Test("A table that couldn't be written is an error before anything is measured")
    func unwritable() async throws {
        let result = try await ChildProcess.run(
            Self.program,
            [
                "calibrate", "--output", directory.path + "/none/calibration.toml", "--replay",
                try capture("1m", -63), "--beacon", Self.badge,
            ])
        #expect(result.status == 74)
        #expect(result.output == [])
    }

    @Test("Without a terminal somebody has to say that the beacon is in its place")
    func nobody() async throws {
        let result = try await calibrate(["--beacon", Self.badge])
        #expect(result.status == 64)
        #expect(result.errorOutput.last?.contains("specify --yes") == true, "\(result.errorOutput)")
    }

    @Test(
        "Wrong usage ends with status 64",
        arguments: [
            ["--beacon", "7/2603"], ["--distance", "4m"], ["--also", "1.2m"], ["--also", "20m"],
            ["--also", "3m", "--receiver"], ["--duration", "5s"], ["--yes", "--also", "3m"],
            ["--replay", "x", "--also", "3m"], ["--replay", "x", "--replay-also", "y"], ["--replay-also", "y"],
            ["--receiver-address", "00:1A:7D:DA:71:13"], ["--replay", "x", "--adapter", "hci0"],
        ])
    func usage(arguments: [String]) async throws {
        #expect(try await calibrate(arguments).status == 64)
        #expect(access(table, F_OK) != 0)
    }

    @Test("In a terminal the plot is drawn in place, in Braille where the locale has it", .enabled(if: scriptInstalled))
    func terminal() async throws {
        let capture = try capture("1m", -63)
        for (locale, isUnicode) in [("C.UTF-8", true), ("C", false)] {
            let command =
                "stty rows 24 cols 80; LC_ALL=\(locale) exec \(Self.program) calibrate --output \(table) "
                + "--replay \(capture) --beacon \(Self.badge)"
            let result = try await ChildProcess.run("script", ["-qec", command, "/dev/null"])
            #expect(result.status == 0, "\(result.output)")
            // Ten lines of plot, two of axis, two of figures.
            #expect(result.output.contains { $0.contains("\u{1B}[14A") }, "\(result.output)")
            #expect(result.output.contains { $0.hasPrefix("      60 s ago") && $0.contains("now") })
            #expect(result.output.contains { $0.hasPrefix(" -63 ") }, "\(result.output)")
            let isASCII = result.output.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } }
            #expect(isASCII != isUnicode)
            #expect(result.output.contains { $0.hasPrefix("written    \(table)") })
        }
    }
}
