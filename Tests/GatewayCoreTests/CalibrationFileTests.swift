import BeaconModel
import Proximity
import TestValues
import Testing

@testable import GatewayCore
@testable import OperatorText

@Suite struct CalibrationFileTests {
    private static let time = Timestamp(microseconds: 1_605_441_600_125_000)

    private static let table = Calibration(
        beacons: [
            beacon(2): BeaconCalibration(measuredPower: -62.4, deviation: 2.1, samples: 214),
            beacon(1): BeaconCalibration(
                measuredPower: -59, deviation: 0, samples: 30, exponent: 1.96, measuredAt: time),
        ],
        receivers: [BluetoothAddress(bits: 0x001A_7DDA_7113): ReceiverCalibration(offset: -2.5, measuredAt: time)])

    private static let text = """
        [[beacons]]
        uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        major = 3
        minor = 1
        measured-power = -59.0
        deviation = 0.0
        samples = 30
        exponent = 1.96
        measured-at = "2020-11-15T12:00:00.125Z"

        [[beacons]]
        uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        major = 3
        minor = 2
        measured-power = -62.4
        deviation = 2.1
        samples = 214

        [[receivers]]
        address = "00:1A:7D:DA:71:13"
        offset = -2.5
        measured-at = "2020-11-15T12:00:00.125Z"

        """

    private static func beacon(_ minor: UInt16) -> BeaconID {
        BeaconID(uuid: Capture.badge.uuid, major: 3, minor: minor)
    }

    private func parse(_ text: String) throws(CalibrationFileError) -> Calibration {
        try CalibrationFile.parse(Array(text.utf8), path: "calibration.toml")
    }

    private func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

    private func problems(_ bytes: [UInt8]) -> [String] {
        do throws(CalibrationFileError) {
            _ = try CalibrationFile.parse(bytes, path: "calibration.toml")
            return []
        } catch {
            return error.problems.map { $0.line(in: "c.toml") }
        }
    }

    @Test("The file says what it is, and has the rows sorted")
    func written() {
        let text = CalibrationFile.text(Self.table)
        #expect(text.hasPrefix("# Calibration table of Beacon Gateway"))
        #expect(text.hasSuffix("\n\n" + Self.text), "\(text)")
    }

    @Test("What was written is read again, and gives the same file")
    func roundTrip() throws {
        let text = CalibrationFile.text(Self.table)
        let table = try parse(text)
        #expect(table == Self.table)
        #expect(CalibrationFile.text(table) == text)
    }

    @Test("Any table that is in the ranges comes back as it was")
    func randomRoundTrip() throws {
        var generator = SeededGenerator("calibration file")
        var table = Calibration()
        for minor in 0..<UInt16(300) {
            table.beacons[Self.beacon(minor)] = BeaconCalibration(
                measuredPower: .random(in: CalibrationFile.measuredPowers, using: &generator),
                deviation: .random(in: CalibrationFile.deviations, using: &generator),
                samples: .random(in: 0...1_000_000, using: &generator),
                exponent: Bool.random(using: &generator)
                    ? .random(in: CalibrationFile.exponents, using: &generator) : nil,
                measuredAt: Bool.random(using: &generator)
                    ? Timestamp(microseconds: .random(in: 0...253_402_300_799_999, using: &generator) * 1000) : nil)
            table.receivers[BluetoothAddress(bits: generator.next())] = ReceiverCalibration(
                offset: .random(in: CalibrationFile.offsets, using: &generator))
        }
        let read = try parse(CalibrationFile.text(table))
        #expect(read == table, generator.comment)
    }

    @Test("An empty file, and one with only comments, is an empty table", arguments: ["", "# nothing\n", "\u{FEFF}"])
    func empty(text: String) throws { #expect(try parse(text) == Calibration()) }

    @Test("All that is wrong is said at once, by line")
    func wrong() {
        let text = """
            title = 1
            [[beacons]]
            uuid = "e2c56db5"
            major = 3
            minor = 65536
            measured-power = 1
            deviation = -1
            exponent = 0.5
            samples = -1
            measured-at = "yesterday"

            [[beacons]]
            uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
            major = 3
            measured-power = "strong"
            colour = "red"
            [[receivers]]
            address = "hci0"
            offset = 30.5
            [[receivers]]
            """
        #expect(
            Set(problems(text)) == [
                "c.toml:1:1: title: is unknown; the keys of this table are beacons, receivers",
                "c.toml:3:1: beacons[0].uuid: found \"e2c56db5\"; must be a UUID: 8-4-4-4-12 hexadecimal digits",
                "c.toml:5:1: beacons[0].minor: found 65536; must be from 0 to 65535",
                "c.toml:6:1: beacons[0].measured-power: found 1.0; must be from -100 to 0",
                "c.toml:7:1: beacons[0].deviation: found -1.0; must be from 0 to 60",
                "c.toml:8:1: beacons[0].exponent: found 0.5; must be from 1 to 6",
                "c.toml:9:1: beacons[0].samples: found -1; must be from 0 to 1000000000",
                "c.toml:10:1: beacons[0].measured-at: found \"yesterday\"; must be \(RFC3339Text.form)",
                "c.toml:12:3: beacons[1].minor: is missing; must be from 0 to 65535",
                "c.toml:15:1: beacons[1].measured-power: found a string; must be a number",
                "c.toml:16:1: beacons[1].colour: is unknown; the keys of this table are deviation, exponent, major, "
                    + "measured-at, measured-power, minor, samples, uuid",
                "c.toml:18:1: receivers[0].address: found \"hci0\"; must be an adapter's address: 00:1A:7D:DA:71:13",
                "c.toml:19:1: receivers[0].offset: found 30.5; must be from -30 to 30",
                "c.toml:20:3: receivers[1].address: is missing; must be an adapter's address: 00:1A:7D:DA:71:13",
                "c.toml:20:3: receivers[1].offset: is missing; must be from -30 to 30",
            ], "\(problems(text).joined(separator: "\n"))")
    }

    @Test("A beacon or a receiver that is there twice is reported with both lines")
    func duplicates() {
        #expect(
            problems(Self.text + Self.text) == [
                "c.toml:26:1: beacons[2].minor: \(Self.beacon(1)) is duplicated, in line 1 too; must have one row",
                "c.toml:36:1: beacons[3].minor: \(Self.beacon(2)) is duplicated, in line 11 too; must have one row",
                "c.toml:42:1: receivers[1].address: 00:1A:7D:DA:71:13 is duplicated, in line 19 too; must have one row",
            ])
    }

    @Test("What is no TOML, no text or far too long is refused")
    func damaged() {
        #expect(problems("[[beacons]]\nmajor = = 3") == ["c.toml:2:9: found \"=\"; must be a value"])
        #expect(problems([0x61, 0xE9]) == ["c.toml: file: is not UTF-8 text; save it as UTF-8 text"])
        #expect(problems([0x23, 0x00]) == ["c.toml: file: is not UTF-8 text; save it as UTF-8 text"])
        #expect(problems(Array(repeating: 0x23, count: CalibrationFile.longest + 1)).count == 1)
    }

    @Test("It may have 10,000 rows and no more", .timeLimit(.minutes(10)))
    func bounded() throws {
        var table = Calibration()
        for minor in 0..<UInt16(10_000) {
            table.beacons[Self.beacon(minor)] = BeaconCalibration(measuredPower: -59, deviation: 1, samples: 30)
        }
        let text = CalibrationFile.text(table)
        #expect(try parse(text).beacons.count == 10_000)
        table.beacons[Self.beacon(10_000)] = BeaconCalibration(measuredPower: -59, deviation: 1, samples: 30)
        #expect(
            problems(CalibrationFile.text(table)) == ["c.toml:7:3: beacons: has 10001 rows; must have at most 10000"])
    }

    @Test("A long file in which everything is wrong is read as fast as a good one", .timeLimit(.minutes(10)))
    func allWrong() {
        let row =
            "[[beacons]]\nuuid = \"\(Capture.badge.uuid)\"\nmajor = 1\nminor = 1\nmeasured-power = 1\ncolour = 1\n"
        let found = problems(String(repeating: row, count: 10_000))
        #expect(found.count == 29_999)
        #expect(found.last?.hasPrefix("c.toml:59") == true, "\(found.last ?? "")")
    }

    @Test(
        "A time is read as it is written",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2020-11-15T12:00:00Z", 1_605_441_600_000_000),
            ("2020-11-15T12:00:00.125Z", 1_605_441_600_125_000),
            ("2020-11-15T13:00:00+01:00", 1_605_441_600_000_000), ("2020-11-15 12:00:00Z", 1_605_441_600_000_000),
            ("2020-02-29T23:59:59.9999999Z", 1_583_020_799_999_999),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999_000),
        ])
    func time(text: String, microseconds: Int64) {
        #expect(RFC3339Text.parse(text) == Timestamp(microseconds: microseconds))
    }

    @Test(
        "Anything else is no time",
        arguments: [
            "", "2020-11-15", "2020-11-15T12:00:00", "2021-02-29T00:00:00Z",
            "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z", "2020-11-31T00:00:00Z", "2020-11-15T24:00:00Z",
            "2020-11-15T12:60:00Z", "1969-12-31T23:59:59Z", "2020-11-15T12:00:00.Z",
            "2020-11-15T12:00:00.1x2Z", "2020-11-15T1٣:00:00Z", "+020-11-15T12:00:00Z",
        ])
    func noTime(text: String) { #expect(RFC3339Text.parse(text) == nil) }
}
