import BeaconModel
import FoundationEssentials
import TestValues
import Testing

@testable import Proximity

/// What holds for any stream of packets.
@Suite("AutomaticCalibration with random streams")
struct AutomaticCalibrationPropertyTests {
    private struct Packet {
        var beacon: UInt16
        var measuredPower: Double
        var adapter: UInt16
        var rssi: RSSI
        var seconds: Double
    }

    /// Packets of anybody, of any strength, whose strengths keep jumping, by a clock that jumps and goes back.
    private func stream(_ generator: inout SeededGenerator, count: Int) -> [Packet] {
        var seconds = 0.0
        var level = -60
        return (0..<count).compactMap { _ in
            switch Int.random(in: 0..<2000, using: &generator) {
            case 0: seconds = max(0, seconds - Double.random(in: 0...10_000, using: &generator))
            case 1: seconds += Double.random(in: 0...1e6, using: &generator)
            case 2...9: level = Int.random(in: -127...20, using: &generator)
            default: seconds += Double.random(in: 0...6, using: &generator)
            }
            let hostile = Int.random(in: 0..<10, using: &generator) == 0
            let powers = [-.infinity, .infinity, .nan, 1e300, -127, 20, 0]
            let power = hostile ? powers[Int.random(in: 0..<7, using: &generator)] : -59
            let strength = hostile ? Int.random(in: -127...20, using: &generator) : level
            guard let rssi = RSSI(dBm: Int8(clamping: strength)) else { return nil }
            return Packet(
                beacon: UInt16.random(in: 0...7, using: &generator), measuredPower: power,
                adapter: UInt16.random(in: 0...17, using: &generator), rssi: rssi, seconds: seconds)
        }
    }

    private let places: [Double] = [0.4, 0.5, 2, 3, .infinity, 1e6, 40]

    private func calibration(resuming state: AutomaticCalibration.State? = nil) -> AutomaticCalibration {
        let fixed = places.enumerated().map { (Sightings.beacon(UInt16($0)), Place.Position(x: $1, y: 0, z: 0)) }
        return AutomaticCalibration(
            gateway: Place.Position(x: 0, y: 0, z: 0), fixed: Dictionary(uniqueKeysWithValues: fixed),
            resuming: state)
    }

    private func feed(_ packets: some Sequence<Packet>, to calibration: inout AutomaticCalibration) {
        for packet in packets {
            calibration.observe(
                beacon: Sightings.beacon(packet.beacon), measuredPower: packet.measuredPower,
                adapter: Adapter(index: packet.adapter), rssi: packet.rssi, at: Sightings.time(packet.seconds))
        }
    }

    @Test("Values stay within their bounds and steps, and numbers, whatever is heard")
    func bounds() {
        var generator = SeededGenerator("bounds of calibrations")
        for _ in 0..<10 {
            var calibration = calibration()
            var last = calibration.state.applied
            var rollbacks: UInt64 = 0
            var hasMoved = false
            for packet in stream(&generator, count: 8000) {
                feed([packet], to: &calibration)
                let values = calibration.state.applied
                guard values != last else { continue }
                hasMoved = true
                #expect((1.2...4).contains(values.exponent), generator.comment)
                #expect(values.offsets.allSatisfy { (-12...12).contains($0) }, generator.comment)
                if calibration.status.rollbacks == rollbacks {
                    #expect(abs(values.exponent - last.exponent) <= 0.1 + 1e-9, generator.comment)
                    #expect(
                        zip(values.offsets, last.offsets).allSatisfy { abs($0 - $1) <= 1 + 1e-9 }, generator.comment)
                }
                rollbacks = calibration.status.rollbacks
                last = values
            }
            #expect(hasMoved, generator.comment)
            if let error = calibration.status.heldOutError {
                #expect(error.applied.isFinite && error.configured.isFinite && error.appliedFactor.isFinite)
            }
        }
    }

    @Test("Equal packets give equal values, and saying more often what time it is changes nothing")
    func deterministic() {
        var generator = SeededGenerator("equal calibrations")
        for _ in 0..<5 {
            let packets = stream(&generator, count: 6000)
            var (one, other) = (calibration(), calibration())
            feed(packets, to: &one)
            for packet in packets {
                if places.indices.contains(Int(packet.beacon)) {
                    let isTaken = other.state.now.map { Sightings.time(packet.seconds).microseconds > $0 } ?? false
                    if isTaken, Bool.random(using: &generator), packet.adapter < 16, packet.rssi.isPlausible,
                        (-127...20).contains(packet.measuredPower), [1, 2, 3, 5, 6].contains(packet.beacon)
                    {
                        other.advance(to: Sightings.time(packet.seconds))
                    }
                }
                feed([packet], to: &other)
            }
            #expect(one.state == other.state, generator.comment)
        }
    }

    @Test("A state that was written and read between any two packets gives what an undisturbed run gives")
    func codable() throws {
        var generator = SeededGenerator("restarts of calibrations")
        for _ in 0..<5 {
            let packets = stream(&generator, count: 6000)
            var (one, other) = (calibration(), calibration())
            feed(packets, to: &one)
            var rest = packets[...]
            while !rest.isEmpty {
                feed(rest.prefix(1500), to: &other)
                rest = rest.dropFirst(1500)
                let written = try JSONEncoder().encode(other.state)
                other = calibration(resuming: try JSONDecoder().decode(AutomaticCalibration.State.self, from: written))
            }
            #expect(one.state == other.state, generator.comment)
            #expect(one.status == other.status, generator.comment)
        }
    }

    @Test("Of a state with impossible values nothing impossible is taken, and learning goes on")
    func hostileState() throws {
        var building = SimulatedBuilding(seed: 30, distances: [2, 4, 8, 16])
        building.offsets = [6]
        var calibration = building.calibration()
        building.run(&calibration, hours: 2)
        let written = try JSONEncoder().encode(calibration.state)
        var generator = SeededGenerator("states")
        let text = try #require(String(bytes: written, encoding: .utf8))
        let numbers = ["-1e300", "1e300", "-9000000000000000", "0", "-3", "77"]
        for _ in 0..<300 {
            // Other numbers instead of some.
            var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            for _ in 0..<3 {
                let index = Int.random(in: 1..<parts.count, using: &generator)
                let tail = parts[index].drop { $0.isNumber || "-.e+".contains($0) }
                guard tail.count < parts[index].count else { continue }
                parts[index] = numbers[Int.random(in: 0..<numbers.count, using: &generator)] + tail
            }
            let data = Data(parts.joined(separator: ":").utf8)
            guard let state = try? JSONDecoder().decode(AutomaticCalibration.State.self, from: data) else { continue }
            var resumed = building.calibration(resuming: state)
            var copy = building
            copy.run(&resumed, hours: 0.2)
            #expect((1.2...4).contains(resumed.exponent), generator.comment)
            #expect((-12...12).contains(resumed.offset(of: Adapter(index: 0))), generator.comment)
            #expect(resumed.state.records.allSatisfy { $0.cells.allSatisfy { $0.mean.isFinite } }, generator.comment)
        }
    }
}
