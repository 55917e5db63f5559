import BeaconModel
import TestValues
import Testing

@testable import Diagnostics

@Suite struct CalibrationMeasurementTests {
    private let start = CalibrationAir.start

    /// One packet a second.
    private func measurement(of values: [Int8]) -> CalibrationMeasurement {
        var measurement = CalibrationMeasurement()
        for (second, value) in values.enumerated() {
            if let rssi = RSSI(dBm: value) { measurement.add(rssi, at: start + .seconds(second)) }
        }
        return measurement
    }

    @Test("The mean leaves out the weakest and the strongest tenth")
    func trimmed() throws {
        // Without -90 and -10: 8 packets with the sum -60-60-60-60-58-58-58-58 = -472.
        let summary = try #require(
            measurement(of: [-60, -58, -90, -60, -58, -60, -58, -10, -60, -58]).summary)
        #expect(summary.mean == -59)
        #expect(summary.packets == 10)
        #expect(summary.seconds == 10)
        #expect(summary.elapsed == .seconds(9))
    }

    @Test("A value of which only some packets are in the outer tenth counts with the others")
    func partlyTrimmed() throws {
        // Of 20 packets two are cut off at each end: -70, fifteen -60 and no -50 are left, (-70 - 900) / 16 = -60.625.
        let values: [Int8] = [-70, -70, -70] + Array(repeating: -60, count: 15) + [-50, -50]
        #expect(measurement(of: values).summary?.mean == -60.625)
    }

    @Test("The spread is the standard deviation of the packets")
    func spread() throws {
        // -62, -60, -58: deviations -2, 0, 2; (4 + 0 + 4) / 2 = 4, whose root is 2.
        #expect(measurement(of: [-62, -60, -58]).summary?.spread == 2)
        #expect(measurement(of: [-62]).summary?.spread == 0)
    }

    @Test("The standard error is that of independent seconds")
    func standardError() throws {
        // Alternating -61 and -59: mean -60, variance 20 / 19 over 20 seconds, neighbours differ, so no correlation
        // counts: sqrt(20 / 19 / 20) = 0.2294, below what whole dB allow, 1 / sqrt(12) = 0.2887.
        let fine = measurement(of: (0..<20).map { $0 % 2 == 0 ? -61 : -59 }).summary?.standardError
        #expect(abs((fine ?? 0) - 0.2887) < 1e-4)
        // Alternating -64 and -56: variance 16 * 20 / 19; sqrt(16.842 / 20) = 0.9177.
        let coarse = measurement(of: (0..<20).map { $0 % 2 == 0 ? -64 : -56 }).summary?.standardError
        #expect(abs((coarse ?? 0) - 0.9177) < 1e-4)
    }

    @Test("Seconds that resemble their neighbours count for fewer")
    func correlated() throws {
        // Pairs -64 -64 -56 -56 ...: of the 19 neighbours 10 are alike and 9 not, r = (10 - 9) * 16 / (20 * 16) = 0.05:
        // 0.9177 * sqrt(1.05 / 0.95) = 0.9648.
        let pairs = measurement(of: (0..<20).map { $0 / 2 % 2 == 0 ? -64 : -56 }).summary?.standardError
        #expect(abs((pairs ?? 0) - 0.9648) < 1e-4)
        // Fives: 16 alike, 3 not, r = 13 / 20 = 0.65: 0.9177 * sqrt(1.65 / 0.35) = 1.9925.
        let fives = measurement(of: (0..<20).map { $0 / 5 % 2 == 0 ? -64 : -56 }).summary?.standardError
        #expect(abs((fives ?? 0) - 1.9925) < 1e-4)
    }

    @Test("A hundred packets in a second say no more than their mean")
    func burst() throws {
        var measurement = CalibrationMeasurement()
        for second in 0..<20 {
            for part in 0..<100 {
                let rssi = try #require(RSSI(dBm: second % 2 == 0 ? -64 : -56))
                measurement.add(rssi, at: start + .seconds(second) + .milliseconds(10 * part))
            }
        }
        #expect(measurement.packets == 2000)
        #expect(abs((measurement.summary?.standardError ?? 0) - 0.9177) < 1e-4)
    }

    @Test("Of independent seconds the mean is within two standard errors in 19 of 20 measurements")
    func honest() throws {
        var generator = SeededGenerator("calibration measurement")
        var within = 0
        for _ in 0..<400 {
            var fading: [Double] = []
            for _ in 0..<30 { fading.append(Double.random(in: -4...4, using: &generator)) }
            let air = CalibrationAir(mean: -60, spread: 2) { fading[min(Int($0), 29)] }
            let summary = try #require(air.measurement(30, using: &generator).summary)
            if abs(summary.mean + 60) <= 2 * (summary.standardError ?? 0) { within += 1 }
        }
        // 0.95 * 400 = 380; a sixth fewer would be far outside chance (standard deviation 4.4).
        #expect(within >= 355, generator.comment)
    }

    @Test("RSSI that can't be a packet's is left out")
    func implausible() throws {
        var measurement = CalibrationMeasurement()
        for value in [-127, -111, 0, 20] as [Int8] {
            measurement.add(try #require(RSSI(dBm: value)), at: start)
        }
        #expect(measurement.summary == nil)
    }

    @Test("What comes after the longest time is left out")
    func late() throws {
        var measurement = CalibrationMeasurement()
        let rssi = try #require(RSSI(dBm: -60))
        for time in [start, start + .milliseconds(119_999), start + .seconds(120), .latest] {
            measurement.add(rssi, at: time)
        }
        #expect(measurement.packets == 2)
    }

    @Test("When the clock is set back the measurement begins anew")
    func setBack() throws {
        var measurement = CalibrationMeasurement()
        let rssi = try #require(RSSI(dBm: -60))
        measurement.add(rssi, at: start + .seconds(3600))
        measurement.add(rssi, at: start + .milliseconds(3_599_500))
        #expect(measurement.packets == 2)
        measurement.add(rssi, at: start)
        #expect(measurement.packets == 1)
        #expect(measurement.elapsed == .zero)
    }
}
