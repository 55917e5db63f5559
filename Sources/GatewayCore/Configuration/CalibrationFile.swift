package import BeaconModel
package import OperatorText
package import Proximity

/// The calibration table as a TOML file.
package enum CalibrationFile {
    /// Maximum number of beacons, and separately of receivers.
    package static let mostRows = 10_000
    /// Maximum size of the file in bytes.
    package static let longest = 8 * 1024 * 1024
    /// Allowed measured powers, in dBm at 1 m.
    package static let measuredPowers = -100.0...0.0
    /// Allowed receiver offsets, in dB.
    package static let offsets = -30.0...30.0
    package static let exponents = 1.0...6.0
    /// Allowed standard deviations, in dB.
    package static let deviations = 0.0...60.0

    private static let head = """
        # Calibration table of Beacon Gateway: signal strengths of beacons, and offsets of receivers.
        # `beacon-gateway calibrate` measures and writes it, sorted; your own comments are lost then.
        #   [[beacons]]    measured-power: dBm at 1 m, as received with offset 0; deviation: dB, of single packets;
        #                  samples: packets measured; exponent: path loss, when measured at two distances
        #   [[receivers]]  address: the Bluetooth adapter's; offset: dB that it reads above a receiver with offset 0
        """

    /// Returns the text of the file; equal tables give equal texts.
    package static func text(_ calibration: Calibration) -> String {
        var parts = [head]
        for (beacon, row) in calibration.beacons.sorted(by: { $0.key < $1.key }) {
            var lines = [
                "[[beacons]]", "uuid = \"\(beacon.uuid)\"", "major = \(beacon.major)", "minor = \(beacon.minor)",
                "measured-power = \(row.measuredPower)", "deviation = \(row.deviation)", "samples = \(row.samples)",
            ]
            if let exponent = row.exponent { lines.append("exponent = \(exponent)") }
            parts.append((lines + measuredAt(row.measuredAt)).joined(separator: "\n"))
        }
        for (address, row) in calibration.receivers.sorted(by: { $0.key < $1.key }) {
            let lines = ["[[receivers]]", "address = \"\(address)\"", "offset = \(row.offset)"]
            parts.append((lines + measuredAt(row.measuredAt)).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func measuredAt(_ time: Timestamp?) -> [String] {
        time.map { ["measured-at = \"\($0.rfc3339)\""] } ?? []
    }

    /// - Parameter path: the path that problems are reported under.
    /// - Throws: `CalibrationFileError` with all problems of the file.
    package static func parse(_ bytes: [UInt8], path: String) throws(CalibrationFileError) -> Calibration {
        let reading = CalibrationReading()
        let calibration = reading.read(bytes)
        let problems = reading.problems
        guard problems.isEmpty else { throw CalibrationFileError(path: path, problems: problems) }
        return calibration
    }
}

/// All problems of a calibration table.
package struct CalibrationFileError: OperatorError, Equatable {
    package var path: String
    package var problems: [ConfigurationProblem]

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "distances cannot be computed from it, and it will not be overwritten" }
    package var remedy: String? {
        "correct the file, or move it away and measure again with `beacon-gateway calibrate`"
    }
    package var exitStatus: ExitStatus { .configuration }
}
