import BeaconModel
import Testing

@testable import GatewayCore

@Suite struct AbsentBeaconsTests {
    private func beacon(_ number: Int) -> BeaconID {
        BeaconID(uuid: ProximityUUID(bits: 1), major: UInt16(number >> 16), minor: UInt16(truncatingIfNeeded: number))
    }

    @Test("The oldest absence is forgotten when there is no more room")
    func oldest() {
        var absent = AbsentBeacons()
        for number in 0..<AbsentBeacons.capacity {
            #expect(absent.update(beacon(number), isAbsent: true) == nil)
        }
        #expect(absent.update(beacon(5000), isAbsent: true) == beacon(0))
        #expect(absent.update(beacon(5001), isAbsent: true) == beacon(1))
    }

    @Test("Whoever came back is not forgotten")
    func back() {
        var absent = AbsentBeacons()
        for number in 0..<AbsentBeacons.capacity { _ = absent.update(beacon(number), isAbsent: true) }
        #expect(absent.update(beacon(0), isAbsent: false) == nil)
        #expect(absent.update(beacon(5000), isAbsent: true) == nil)
        #expect(absent.update(beacon(5001), isAbsent: true) == beacon(1))
    }

    @Test("One beacon that comes and goes for ever takes one place")
    func flapping() {
        var absent = AbsentBeacons()
        for _ in 0..<100_000 {
            #expect(absent.update(beacon(1), isAbsent: true) == nil)
            #expect(absent.update(beacon(1), isAbsent: false) == nil)
        }
        for number in 2..<(2 + AbsentBeacons.capacity) {
            #expect(absent.update(beacon(number), isAbsent: true) == nil)
        }
    }
}
