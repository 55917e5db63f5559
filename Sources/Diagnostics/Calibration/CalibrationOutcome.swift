package import BeaconModel
import GatewayCore
import OperatorText
package import Proximity
import RealModule

/// Measured values of a beacon, and the table rows that follow from them. Pure.
package struct CalibrationOutcome: Equatable, Sendable {
    package struct Point: Equatable, Sendable {
        /// Distance in m.
        package var distance: Double
        package var summary: CalibrationMeasurement.Summary
    }

    package var beacon: BeaconID
    /// Measured power that the beacon advertises, in dBm at 1 m.
    package var says: Int8
    /// Measurements at one distance, or at two.
    package var points: [Point]
    package var measuredAt: Timestamp

    /// Returns the table row of the beacon.
    ///
    /// - Parameter offset: offset of the receiver that measured the beacon, in dB.
    package func beaconRow(offset: Double) throws(CalibrationError) -> BeaconCalibration {
        let exponent = try exponent
        let power = rounded(atOneMetre(exponent: exponent) - offset, 0.1)
        guard CalibrationFile.measuredPowers.contains(power) else {
            throw .outOfRange("measured power in dBm", power, allowed: "from -100 to 0")
        }
        return BeaconCalibration(
            measuredPower: power, deviation: rounded(min(points[0].summary.spread, 60), 0.1),
            samples: points.reduce(0) { $0 + $1.summary.packets }, exponent: exponent.map { rounded($0, 0.01) },
            measuredAt: measuredAt)
    }

    /// Returns the table row of the receiver.
    ///
    /// - Parameter known: RSSI of the beacon at 1 m at a receiver with offset 0, in dBm.
    package func receiverRow(known: Double) throws(CalibrationError) -> ReceiverCalibration {
        let offset = rounded(atOneMetre(exponent: nil) - known, 0.1)
        guard CalibrationFile.offsets.contains(offset) else {
            throw .outOfRange("offset in dB", offset, allowed: "from -30 to 30")
        }
        return ReceiverCalibration(offset: offset, measuredAt: measuredAt)
    }

    /// Returns the RSSI at 1 m, computed from the RSSI at the first distance.
    private func atOneMetre(exponent: Double?) -> Double {
        points[0].summary.mean + 10 * (exponent ?? PathLossExponent.prior) * Double.log10(points[0].distance)
    }

    private var exponent: Double? {
        get throws(CalibrationError) {
            guard points.count > 1 else { return nil }
            let (near, far) = (points[0], points[1])
            guard let exponent = PathLossExponent.estimate(near: near.forExponent, far: far.forExponent) else {
                throw .strongerFarAway(
                    near: near.summary.mean, nearDistance: near.distance, far: far.summary.mean,
                    farDistance: far.distance)
            }
            return exponent
        }
    }

    private func rounded(_ value: Double, _ step: Double) -> Double {
        // Division by a whole number gives -59.4 in the table and not -59.400000000000006.
        let steps = (1 / step).rounded()
        // Adding 0 turns -0 into 0.
        return (value * steps).rounded() / steps + 0
    }
}

extension CalibrationOutcome.Point {
    fileprivate var forExponent: PathLossExponent.Point {
        PathLossExponent.Point(rssi: summary.mean, error: summary.standardError ?? 0, distance: distance)
    }

    /// Measurement as a line for the terminal.
    package var line: String {
        let error = summary.standardError.map { ", standard error \(Format.fixed($0, 1)) dB" } ?? ""
        let label = "at \(Metres.text(distance))"
        return label + String(repeating: " ", count: max(1, 11 - label.count))
            + "\(Format.fixed(summary.mean, 1)) dBm, spread \(Format.fixed(summary.spread, 1)) dB, "
            + "\(summary.packets) packets in \(Format.fixed(summary.elapsed.inSeconds, 1)) s\(error)"
    }
}
