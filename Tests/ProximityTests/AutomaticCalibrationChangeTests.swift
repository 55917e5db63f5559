import BeaconModel
import Testing

@testable import Proximity

@Suite("AutomaticCalibration when something changes")
struct AutomaticCalibrationChangeTests {
    private static let hall = [1.5, 3, 4, 6, 8, 10, 14, 18]
    private let adapter = Adapter(index: 0)

    @Test("After another antenna was fitted the values are taken back, and those of the new one learned")
    func antenna() throws {
        var building = SimulatedBuilding(seed: 20, distances: Self.hall, walls: [2, -2, 1, -1, 2, -2, 1, -1])
        building.offsets = [9]
        var calibration = building.calibration()
        building.run(&calibration, hours: 6)
        #expect(calibration.offset(of: adapter) > 6)
        building.offsets = [-4]
        building.run(&calibration, hours: 0.25)
        #expect(calibration.status.state == .rolledBack)
        #expect(calibration.status.rollbacks == 1)
        #expect(calibration.offset(of: adapter) == 0)
        #expect(calibration.status.suspects == [])
        // Nothing is learned for an hour.
        building.run(&calibration, hours: 0.75)
        #expect(calibration.status.state == .rolledBack)
        #expect(calibration.offset(of: adapter) == 0)
        #expect(try #require(calibration.status.heldOutError).candidate == nil)
        building.run(&calibration, hours: 5)
        #expect(calibration.status.state == .applied)
        #expect(abs(calibration.offset(of: adapter) + 4) < 2)
        #expect(calibration.status.rollbacks == 1)
    }

    @Test("A beacon that was moved is named, doesn't move the values, and is forgiven when it is put back")
    func moved() {
        var building = SimulatedBuilding(seed: 21, distances: Self.hall)
        building.offsets = [3]
        var calibration = building.calibration()
        building.run(&calibration, hours: 6)
        let before = calibration.offset(of: adapter)
        building.inventory = building.distances
        building.walls[3] = -14
        building.run(&calibration, hours: 0.4)
        #expect(calibration.status.suspects == [])
        building.run(&calibration, hours: 1.6)
        #expect(calibration.status.suspects == [Sightings.beacon(4)])
        #expect(calibration.status.beaconsUsed == 7)
        building.run(&calibration, hours: 6)
        #expect(calibration.status.suspects == [Sightings.beacon(4)])
        #expect(abs(calibration.offset(of: adapter) - before) < 1)
        #expect(calibration.status.rollbacks == 0)
        building.walls[3] = 0
        building.run(&calibration, hours: 2)
        #expect(calibration.status.suspects == [])
    }

    @Test("A beacon that is hidden for a quarter of an hour isn't suspected")
    func hidden() {
        var building = SimulatedBuilding(seed: 22, distances: Self.hall)
        var calibration = building.calibration()
        building.run(&calibration, hours: 4)
        building.walls[2] = -14
        building.run(&calibration, hours: 0.25)
        building.walls[2] = 0
        for _ in 0..<12 {
            building.run(&calibration, hours: 1.0 / 6)
            #expect(calibration.status.suspects == [])
        }
    }

    @Test("With two beacons nobody can say which one moved")
    func twoBeacons() {
        var building = SimulatedBuilding(seed: 23, distances: [3, 9])
        var calibration = building.calibration()
        building.run(&calibration, hours: 4)
        building.walls[1] = -20
        building.run(&calibration, hours: 2)
        #expect(calibration.status.suspects == [])
    }

    @Test("A suspect to which the inventory gives another place begins anew")
    func corrected() {
        var building = SimulatedBuilding(seed: 24, distances: Self.hall)
        var calibration = building.calibration()
        building.run(&calibration, hours: 4)
        building.inventory = building.distances
        building.distances[1] = 17
        building.run(&calibration, hours: 2)
        #expect(calibration.status.suspects == [Sightings.beacon(2)])
        building.inventory = nil
        calibration = building.calibration(resuming: calibration.state)
        #expect(calibration.status.suspects == [])
        building.run(&calibration, hours: 2)
        #expect(calibration.status.beaconsUsed == 8)
        #expect(calibration.status.suspects == [])
    }

    @Test("Other configured values begin anew, with what is remembered of the beacons")
    func reconfigured() {
        var building = SimulatedBuilding(seed: 25, distances: Self.hall)
        building.offsets = [9]
        var calibration = building.calibration()
        building.run(&calibration, hours: 4)
        calibration = AutomaticCalibration(
            gateway: Place.Position(x: 0, y: 0, z: 0), fixed: building.fixed, exponent: 2.4, offsets: [adapter: -2],
            resuming: calibration.state)
        #expect(calibration.offset(of: adapter) == -2)
        #expect(calibration.exponent == 2.4)
        #expect(calibration.status.state == .learning)
        #expect(calibration.status.beaconsUsed == 8)
    }
}
