import BeaconModel
import TestValues
import Testing

@testable import Diagnostics

@Suite struct CalibrationVerdictTests {
    private let start = CalibrationAir.start

    /// What becomes of it: the time and the verdict, when it is no more `measuring`.
    private func end(_ air: CalibrationAir, _ generator: inout SeededGenerator) -> (Duration, CalibrationVerdict)? {
        var measurement = CalibrationMeasurement()
        for packet in air.packets(130, using: &generator) {
            measurement.add(packet.rssi, at: start + packet.after)
            let verdict = measurement.verdict()
            if case .measuring = verdict { continue }
            return (packet.after, verdict)
        }
        return nil
    }

    @Test("A steady beacon is measured after 20 s")
    func enough() throws {
        var generator = SeededGenerator("calibration verdict")
        let end = try #require(end(CalibrationAir(mean: -59, spread: 2), &generator))
        #expect(end == (.seconds(20), .enough), generator.comment)
    }

    @Test("One that advertises every second takes 30 packets")
    func slow() throws {
        var generator = SeededGenerator(seed: 1)
        let end = try #require(end(CalibrationAir(mean: -59, spread: 1, interval: 1), &generator))
        // The thirtieth packet comes after 29 s.
        #expect(end == (.seconds(29), .enough))
    }

    @Test("What fades more takes longer")
    func fading() throws {
        var generator = SeededGenerator(seed: 1)
        // Seconds -66, -60, -54, -63, -57, ...: a variance of 18, and 18 / k is 0.49 with 37 seconds or a little more.
        let end = try #require(
            end(CalibrationAir(mean: -60) { Double(Int($0) * 2 % 5 * 3 - 6) }, &generator))
        #expect(end.1 == .enough)
        #expect((.seconds(35)...(.seconds(40))).contains(end.0), "\(end.0)")
    }

    @Test("Somebody who stands in the way for half of the time is noticed, and it is given up after 120 s")
    func interrupted() throws {
        var generator = SeededGenerator("calibration verdict")
        let air = CalibrationAir(mean: -59, spread: 2) { Int($0 / 4) % 2 == 0 ? 0 : -10 }
        let end = try #require(end(air, &generator))
        guard case .failed(.unsteady(.interrupted(let gap))) = end.1 else {
            Issue.record("\(end.1)")
            return
        }
        #expect(end.0 == .seconds(120), generator.comment)
        #expect(abs(gap - 10) < 1.5, generator.comment)
    }

    @Test("Somebody who walks through once costs time and not the result")
    func walkedThrough() throws {
        var generator = SeededGenerator("calibration verdict")
        let air = CalibrationAir(mean: -59, spread: 2) { (10..<13).contains($0) ? -10 : 0 }
        let end = try #require(end(air, &generator))
        #expect(end.1 == .enough, generator.comment)
        #expect((.seconds(21)...(.seconds(70))).contains(end.0), generator.comment)
    }

    @Test("A beacon that is carried away while it is measured isn't steady")
    func drifting() throws {
        var generator = SeededGenerator("calibration verdict")
        let air = CalibrationAir(mean: -59, spread: 2) { -0.3 * $0 }
        let end = try #require(end(air, &generator))
        guard case .failed(let failure) = end.1 else {
            Issue.record("\(end.1)")
            return
        }
        switch failure {
        case .unsteady, .tooWeak: break
        default: Issue.record("\(failure)")
        }
    }

    @Test("A beacon at the limit of the receiver is refused as soon as that is known")
    func weak() throws {
        var generator = SeededGenerator(seed: 1)
        let end = try #require(end(CalibrationAir(mean: -92), &generator))
        #expect(end == (.seconds(20), .failed(.tooWeak(-92))))
    }

    @Test("A beacon with a packet every 10 s has too few")
    func few() throws {
        var generator = SeededGenerator(seed: 1)
        let end = try #require(end(CalibrationAir(mean: -60, interval: 10), &generator))
        #expect(end == (.seconds(120), .failed(.tooFewPackets(12))))
    }

    @Test("A beacon that isn't heard in 15 s isn't there")
    func never() {
        var measurement = CalibrationMeasurement()
        measurement.advance(to: start)
        measurement.advance(to: start + .milliseconds(14_999))
        guard case .measuring = measurement.verdict() else {
            Issue.record("\(measurement.verdict())")
            return
        }
        measurement.advance(to: start + .seconds(15))
        #expect(measurement.verdict() == .failed(.neverHeard))
    }

    @Test("At the end of a capture it is said what was missing")
    func captureEnds() throws {
        var generator = SeededGenerator(seed: 1)
        let short = CalibrationAir(mean: -60).measurement(15, using: &generator)
        #expect(short.verdict(isOver: true) == .failed(.tooShort(.milliseconds(14_900))))
        let few = CalibrationAir(mean: -60, interval: 1).measurement(25, using: &generator)
        #expect(few.verdict(isOver: true) == .failed(.tooFewPackets(25)))
    }

    @Test("What is missing is named")
    func missing() throws {
        var generator = SeededGenerator(seed: 1)
        let measurement = CalibrationAir(mean: -60, interval: 1).measurement(6, using: &generator)
        #expect(measurement.verdict() == .measuring([.time(.seconds(15)), .packets(24), .seconds(4)]))
    }
}
