package import BeaconModel
import GatewayCore
import OperatorText
package import Proximity
import RealModule

/// What was measured of a beacon, and what goes into the table. Pure.
package struct CalibrationOutcome: Equatable, Sendable {
    package struct Point: Equatable, Sendable {
        /// m.
        package var distance: Double
        package var summary: CalibrationMeasurement.Summary
    }

    package var beacon: BeaconID
    /// dBm at 1 m.
    package var says: Int8
    /// At one distance, or at two.
    package var points: [Point]
    package var measuredAt: Timestamp

    /// The row of the beacon.
    ///
    /// - Parameter offset: of the receiver that heard it, dB.
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

    /// The row of the receiver.
    ///
    /// - Parameter known: what a receiver of offset 0 hears of the beacon at 1 m, dBm.
    package func receiverRow(known: Double) throws(CalibrationError) -> ReceiverCalibration {
        let offset = rounded(atOneMetre(exponent: nil) - known, 0.1)
        guard CalibrationFile.offsets.contains(offset) else {
            throw .outOfRange("offset in dB", offset, allowed: "from -30 to 30")
        }
        return ReceiverCalibration(offset: offset, measuredAt: measuredAt)
    }

    /// The RSSI at 1 m, from that at the first distance.
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
        // By a whole number, so that the table has -59.4 and not -59.400000000000006.
        let steps = (1 / step).rounded()
        // And 0 instead of -0.
        return (value * steps).rounded() / steps + 0
    }
}

extension CalibrationOutcome.Point {
    fileprivate var forExponent: PathLossExponent.Point {
        PathLossExponent.Point(rssi: summary.mean, error: summary.standardError ?? 0, distance: distance)
    }

    /// For the person.
    package var line: String {
        let error = summary.standardError.map { ", standard error \(Format.fixed($0, 1)) dB" } ?? ""
        let label = "at \(Metres.text(distance))"
        return label + String(repeating: " ", count: max(1, 11 - label.count))
            + "\(Format.fixed(summary.mean, 1)) dBm, spread \(Format.fixed(summary.spread, 1)) dB, "
            + "\(summary.packets) packets in \(Format.fixed(summary.elapsed.inSeconds, 1)) s\(error)"
    }
}
