import BeaconModel
import TestValues

@testable import Diagnostics

/// What a receiver hears of a beacon at one place: for tests of calibrations.
struct CalibrationAir {
    /// dBm.
    var mean: Double
    /// dB, of single packets.
    var spread = 0.0
    /// Seconds between packets.
    var interval = 0.1
    /// Added in each second, dB.
    var change: (_ second: Double) -> Double = { _ in 0 }

    static let start = Timestamp(microseconds: 1_605_441_600_000_000)

    /// The packets of `seconds`, with the time since the start.
    func packets(
        _ seconds: Double, using generator: inout SeededGenerator
    ) -> [(after: Duration, rssi: RSSI)] {
        (0..<Int((seconds / interval).rounded())).compactMap { index in
            let second = Double(index) * interval
            // The sum of twelve uniform numbers has a variance of 1.
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
            let value = mean + change(second) + spread * noise
            return RSSI(dBm: Int8(max(-127, min(20, value.rounded())))).map {
                (.microseconds(Int64((second * 1e6).rounded())), $0)
            }
        }
    }

    /// A measurement of them, as it is at the last packet.
    func measurement(_ seconds: Double, using generator: inout SeededGenerator) -> CalibrationMeasurement {
        var measurement = CalibrationMeasurement()
        for packet in packets(seconds, using: &generator) {
            measurement.add(packet.rssi, at: Self.start + packet.after)
        }
        return measurement
    }
}
