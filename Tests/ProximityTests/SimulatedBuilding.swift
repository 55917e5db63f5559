import BeaconModel
import Glibc
import TestValues

@testable import Proximity

/// A gateway at the origin and fixed beacons around it, with a truth that the calibration doesn't know.
///
/// Each beacon advertises every `interval`; its packets vary by `packetNoise`, and what all packets of a minute share
/// by `fading`, which changes by an autoregressive process with a memory of ten minutes.
struct SimulatedBuilding {
    var generator: SeededGenerator
    /// Metres, by the beacon's minor less 1.
    var distances: [Double]
    /// What the inventory says, when it isn't true.
    var inventory: [Double]?
    /// dB, of each adapter.
    var offsets = [0.0]
    var exponent = 2.1
    /// dB, of each beacon; negative attenuates.
    var walls: [Double]
    var fading = 2.0
    var packetNoise = 5.0
    var interval = 10.0
    /// Seconds since the start.
    private(set) var seconds = 0.0
    private var slow: [Double]

    static let measuredPower = -59.0

    init(seed: UInt64, distances: [Double], walls: [Double]? = nil) {
        generator = SeededGenerator(seed: seed)
        self.distances = distances
        self.walls = walls ?? distances.map { _ in 0 }
        slow = Array(repeating: 0, count: distances.count * 16)
    }

    var fixed: [BeaconID: Place.Position] {
        Dictionary(
            uniqueKeysWithValues: (inventory ?? distances).enumerated().map { index, distance in
                (Sightings.beacon(UInt16(index + 1)), Place.Position(x: 0, y: 0, z: distance))
            })
    }

    func calibration(resuming state: AutomaticCalibration.State? = nil) -> AutomaticCalibration {
        AutomaticCalibration(gateway: Place.Position(x: 0, y: 0, z: 0), fixed: fixed, resuming: state)
    }

    /// Lets time pass, with packets.
    mutating func run(_ calibration: inout AutomaticCalibration, hours: Double) {
        let end = seconds + hours * 3600
        while seconds < end {
            if seconds.truncatingRemainder(dividingBy: 60) < interval { fade() }
            for beacon in distances.indices {
                for adapter in offsets.indices {
                    let mean =
                        Self.measuredPower + offsets[adapter] - 10 * exponent * log10(distances[beacon])
                        + walls[beacon] + slow[beacon * 16 + adapter]
                    let value = min(max((mean + packetNoise * normal()).rounded(), -110), -1)
                    guard let rssi = Int8(exactly: value).flatMap(RSSI.init(dBm:)) else { continue }
                    calibration.observe(
                        beacon: Sightings.beacon(UInt16(beacon + 1)), measuredPower: Self.measuredPower,
                        adapter: Adapter(index: UInt16(adapter)), rssi: rssi, at: Sightings.time(seconds))
                }
            }
            seconds += interval
        }
        calibration.advance(to: Sightings.time(seconds))
    }

    /// Lets time pass in which nothing is heard.
    mutating func beSilent(hours: Double) { seconds += hours * 3600 }

    private mutating func fade() {
        let kept = exp(-1.0 / 10)
        let change = fading * (1 - kept * kept).squareRoot()
        for index in slow.indices { slow[index] = kept * slow[index] + change * normal() }
    }

    /// A standard normal number, by Box and Muller.
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
}
