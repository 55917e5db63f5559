import BeaconModel
import Testing

@testable import Proximity

@Suite("AutomaticCalibration")
struct AutomaticCalibrationTests {
    private static let hall = [1.5, 3, 4, 6, 8, 10, 14, 18]
    private let first = Adapter(index: 0)
    private let second = Adapter(index: 1)

    @Test("Offsets of two adapters and the exponent are learned within a day", arguments: 1...5 as ClosedRange<UInt64>)
    func converges(seed: UInt64) {
        var building = SimulatedBuilding(seed: seed, distances: Self.hall, walls: [2, -3, 1, -2, 4, 0, -3, 1])
        building.offsets = [5, -7]
        building.exponent = 2.8
        var calibration = building.calibration()
        building.run(&calibration, hours: 12)
        #expect(abs(calibration.offset(of: first) - 5) < 3)
        #expect(abs(calibration.offset(of: second) + 7) < 3)
        #expect(abs(calibration.offset(of: first) - calibration.offset(of: second) - 12) < 2)
        #expect(abs(calibration.exponent - 2.8) < 0.4)
        #expect(calibration.status.state == .applied)
        #expect(calibration.status.beaconsUsed == 8)
        #expect(calibration.status.rollbacks == 0)
    }

    @Test("Distances of beacons that were held out are better than as configured, and it is said by how much")
    func heldOut() throws {
        var building = SimulatedBuilding(seed: 6, distances: Self.hall, walls: [1, -1, 2, -2, 1, -1, 2, -2])
        building.offsets = [8]
        var calibration = building.calibration()
        building.run(&calibration, hours: 6)
        let error = try #require(calibration.status.heldOutError)
        #expect((6.5...10).contains(error.configured))
        #expect(error.applied < 4)
        #expect(abs(error.appliedFactor - 1.5) < 0.2)
        #expect(error.configuredFactor > 2)
        #expect(error.candidate != nil)
    }

    @Test("A receiver that is as configured stays so")
    func asConfigured() {
        var building = SimulatedBuilding(seed: 7, distances: Self.hall)
        var calibration = building.calibration()
        building.run(&calibration, hours: 12)
        #expect(abs(calibration.offset(of: first)) < 1.5)
        #expect(abs(calibration.exponent - 2.1) < 0.2)
        #expect(calibration.status.rollbacks == 0)
        #expect(calibration.status.suspects == [])
    }

    @Test("One beacon behind a wall of 25 dB doesn't move everything")
    func wall() {
        var walls = Self.hall.map { _ in 0.0 }
        var calm = SimulatedBuilding(seed: 8, distances: Self.hall, walls: walls)
        walls[4] = -25
        var walled = SimulatedBuilding(seed: 8, distances: Self.hall, walls: walls)
        var (one, other) = (calm.calibration(), walled.calibration())
        calm.run(&one, hours: 12)
        walled.run(&other, hours: 12)
        #expect(abs(one.offset(of: first) - other.offset(of: first)) < 1.5)
        #expect(abs(one.exponent - other.exponent) < 0.2)
    }

    @Test("A single beacon moves the offset by about half of what it says, and not the exponent")
    func single() {
        var building = SimulatedBuilding(seed: 9, distances: [4])
        building.offsets = [8]
        var calibration = building.calibration()
        building.run(&calibration, hours: 12)
        // 36 / (36 + 25 + 4 + 16 / 36), the share of the prior's variance.
        #expect(abs(calibration.offset(of: first) - 8 * 0.55) < 1.2)
        #expect(calibration.exponent == 2.1)
    }

    @Test("Beacons at about the same distance don't move the exponent; another one does")
    func spread() {
        var building = SimulatedBuilding(seed: 10, distances: [4, 5, 5.9])
        building.exponent = 3
        var calibration = building.calibration()
        building.run(&calibration, hours: 6)
        #expect(calibration.exponent == 2.1)
        #expect(calibration.offset(of: first) < -2)
        building = SimulatedBuilding(seed: 10, distances: [1, 4, 5, 5.9, 20])
        building.exponent = 3
        calibration = building.calibration()
        building.run(&calibration, hours: 6)
        #expect(calibration.exponent > 2.4)
    }

    @Test("A beacon nearer than 0.5 m, one without a position and an adapter above 15 teach nothing")
    func ignored() {
        var building = SimulatedBuilding(seed: 11, distances: [0.49, 0.3])
        building.offsets = [10]
        var calibration = building.calibration()
        building.run(&calibration, hours: 2)
        #expect(calibration.offset(of: first) == 0)
        #expect(calibration.status.state == .off)
        building = SimulatedBuilding(seed: 11, distances: [4])
        calibration = building.calibration()
        for second in 0..<7200 {
            for (beacon, adapter) in [(99, 0), (1, 16), (1, 65_535)] as [(UInt16, UInt16)] {
                calibration.observe(
                    beacon: Sightings.beacon(beacon), measuredPower: -59, adapter: Adapter(index: adapter),
                    rssi: RSSI(dBm: -20)!, at: Sightings.time(Double(second)))
            }
        }
        #expect(calibration.state.records.allSatisfy { $0.cells.isEmpty })
        #expect(calibration.offset(of: Adapter(index: 16)) == 0)
    }

    @Test("No period moves an offset by more than 1 dB or the exponent by more than 0.1")
    func steps() {
        var building = SimulatedBuilding(seed: 12, distances: Self.hall)
        building.offsets = [11, -11]
        building.exponent = 3.5
        var calibration = building.calibration()
        var largest = 0.0
        for _ in 0..<60 {
            let before = calibration.state.applied
            building.run(&calibration, hours: 1.0 / 12)
            let after = calibration.state.applied
            for (old, new) in zip(before.offsets, after.offsets) { largest = max(largest, abs(new - old)) }
            #expect(abs(after.exponent - before.exponent) <= 0.1 + 1e-9)
        }
        #expect(largest <= 1 + 1e-9)
        #expect(largest > 0.9)
    }

    @Test("In silence nothing moves, however long it is")
    func silence() {
        var building = SimulatedBuilding(seed: 13, distances: Self.hall)
        building.offsets = [6]
        var calibration = building.calibration()
        building.run(&calibration, hours: 1)
        // The packets of the last period.
        building.beSilent(hours: 1)
        calibration.advance(to: Sightings.time(building.seconds))
        let before = calibration.state
        for _ in 0..<100 {
            building.beSilent(hours: 100)
            calibration.advance(to: Sightings.time(building.seconds))
        }
        #expect(calibration.state.records == before.records)
        #expect(calibration.state.applied == before.applied)
        #expect(before.applied.offsets[0] > 2)
    }

    @Test("A clock that is set back keeps what was learned, and learning goes on")
    func clockSetBack() {
        var building = SimulatedBuilding(seed: 14, distances: Self.hall)
        building.offsets = [9]
        var calibration = building.calibration()
        building.run(&calibration, hours: 0.5)
        let before = calibration.offset(of: first)
        building.beSilent(hours: -10_000)
        building.run(&calibration, hours: 1.0 / 360)
        #expect(calibration.offset(of: first) == before)
        building.run(&calibration, hours: 3)
        #expect(calibration.offset(of: first) > before + 1)
    }

    /// A copy or a growing array would be elsewhere.
    private func storage(_ calibration: AutomaticCalibration) -> [UInt] {
        let records = calibration.state.records
        return [records.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }]
            + records.map { record in record.cells.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }

    @Test("After the first packets of each beacon, within a period, packets need no other memory")
    func memory() {
        var building = SimulatedBuilding(seed: 16, distances: Self.hall)
        building.offsets = [0, 0, 0]
        var calibration = building.calibration()
        building.run(&calibration, hours: 1.0 / 360)
        let before = storage(calibration)
        building.run(&calibration, hours: 28.0 / 360)
        #expect(storage(calibration) == before)
        #expect(calibration.state.records[0].cells[0].count == 29)
    }

    @Test("Disabled, it says what was configured and learns nothing")
    func disabled() {
        var building = SimulatedBuilding(seed: 15, distances: Self.hall)
        building.offsets = [9]
        var enabled = building.calibration()
        building.run(&enabled, hours: 2)
        var rules = AutomaticCalibration.Rules()
        rules.isEnabled = false
        var calibration = AutomaticCalibration(
            rules: rules, gateway: Place.Position(x: 0, y: 0, z: 0), fixed: building.fixed, exponent: 2.5,
            offsets: [first: 3, Adapter(index: 20): 4], resuming: enabled.state)
        building.run(&calibration, hours: 1)
        #expect(calibration.offset(of: first) == 3)
        #expect(calibration.offset(of: Adapter(index: 20)) == 4)
        #expect(calibration.exponent == 2.5)
        #expect(calibration.status.state == .off)
    }
}
