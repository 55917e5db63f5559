import BeaconModel
import Glibc
import OperatorText
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Diagnostics
@testable import Gateway
@testable import GatewayCoreTests

/// The schedule `Evaluate/phones.toml`, and what a gateway heard meanwhile.
///
///     iPhone 12, foreground 0 to 120 s: heard at 2, 12, ... 112 s, -60 dBm
///         D 2 s; T 4 of 4 windows; 12 readings; longest gap 10 s
///     at 125 s, when it was in the bag, -90 dBm: a leak
///     iPhone 12, foreground 150 to 245 s: heard at 220 s, -70 dBm
///         R after 70 s, which is too late; T 1 of 3 windows (the last 5 s are less than half a window); longest gap 70 s
///     iPhone 12, background 300 to 375 s: heard at 305, 335 and 361 s, -61, -65 and -63 dBm
///         D 5 s; T 3 of 3 windows, because the last 15 s are half of one; longest gap 30 s; median -63 dBm
///     Pixel, foreground 10 to 70 s: heard at 11 and 41 s, by its first identifier
///         D 1 s; T 2 of 2; longest gap 30 s
///     Pixel, foreground 100 to 110 s: heard at 103 s, by its second identifier
///         R 3 s; no T, being shorter than a window; longest gap 7 s
///     Pixel, locked, from 360 s: not heard until the last packet, a stranger's, at 400 s
///         D isn't known after 40 s; T fails in the first of 1 window (the last 10 s are less than half)
enum EvaluateFixture {
    struct Reading {
        var second: Double
        /// `nil` for the badge; else the byte of the identifier.
        var phone: UInt8?
        var rssi: Int8
    }

    static let directory = Repository.root + "/Tests/GatewayIntegrationTests/Evaluate/"
    static let begin = Timestamp(microseconds: 1_605_441_600_000_000)

    static let readings: [Reading] =
        (0..<12).map { Reading(second: Double(2 + $0 * 10), rssi: -60) }
        + [
            Reading(second: 11, phone: 0x11, rssi: -70), Reading(second: 41, phone: 0x11, rssi: -70),
            Reading(second: 103, phone: 0x22, rssi: -70), Reading(second: 125, rssi: -90),
            Reading(second: 220, rssi: -70), Reading(second: 305, rssi: -61), Reading(second: 335, rssi: -65),
            Reading(second: 361, rssi: -63),
        ]

    static func text(_ name: String) throws -> String {
        String(decoding: try FileContents.read(directory + name, limit: 1_000_000), as: UTF8.self)
    }

    static func schedule(_ name: String = "phones.toml") throws -> EvaluationSchedule {
        try EvaluationSchedule.parse(Array(text(name).utf8), path: name)
    }

    /// The capture of all that; a stranger is heard every 5 s from 0 to 400 s.
    static var capture: Capture {
        var all = readings.map { ($0.second, Optional($0)) }
        all += (0...80).map { (Double($0 * 5), nil) }
        var capture = Capture()
        for (second, reading) in all.sorted(by: { $0.0 < $1.0 }) {
            capture.time = begin + .milliseconds(Int64(second * 1000))
            guard let reading else {
                capture.addPhone(0xEE, address: [0xC0, 0, 0, 0, 0, 1])
                continue
            }
            if let phone = reading.phone {
                capture.addPhone(phone, address: [0xC0, 0, 0, 0, 0, 2])
            } else {
                capture.addBeacon(rssi: reading.rssi)
            }
        }
        return capture
    }

    /// The evaluation of that capture, through the file.
    static func result() throws -> EvaluationResult {
        let directory = try TemporaryDirectory()
        var task = EvaluationTask(try schedule())
        try task.take(captures: [try directory.write("air.btsnoop", capture.bytes)])
        return task.evaluation.result()
    }

    /// What a report has to be; with `UPDATE_GOLDEN=1 swift test --filter Evaluate` it is written anew.
    static func golden(_ name: String, _ text: String) throws -> String {
        if getenv("UPDATE_GOLDEN") != nil { try FileContents.replace(directory + name, with: Array(text.utf8)) }
        return try Self.text(name)
    }

    /// What is wrong in a schedule, with the file and the positions.
    static func problems(_ text: String, _ name: String = "a.toml") -> [String] {
        do throws(ScheduleError) {
            _ = try EvaluationSchedule.parse(Array(text.utf8), path: name)
            return []
        } catch {
            return error.problems.map { $0.line(in: name) }
        }
    }
}
