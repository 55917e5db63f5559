import Advertisement
import BeaconModel
import Testing

@testable import Gateway
@testable import GatewayCoreTests
@testable import HCI

@Suite struct SimulatedAirTests {
    @Test("What the simulated radio carries is received as it was advertised, weaker from farther away")
    func carries() {
        var air = SimulatedAir()
        let data = IBeacon.advertisingData(Capture.badge, measuredPower: -59)
        let address = BluetoothAddress(bits: 0xC000_0000_0101)
        let batch = air.batch(
            at: .epoch,
            from: [1.0, 10.0, 21.0].map { SimulatedAir.Advertiser(address: address, data: data, distance: $0) })
        var strengths: [Int8] = []
        let defects = batch.forEachReport { report, data in
            #expect(report.address == address)
            #expect(AdvertisingData.decode(data).identity == .iBeacon(Capture.badge, measuredPower: -59))
            strengths.append(report.rssi?.dBm ?? 0)
        }
        #expect(defects.isEmpty)
        #expect(strengths.count == 2, "nobody is heard from 21 m")
        #expect((-65...(-53)).contains(strengths[0]) && (-85...(-73)).contains(strengths[1]), "\(strengths)")
    }

    @Test("A walker goes from near to far and back")
    func walker() {
        let walker = DemoBuilding.walkers[0]
        #expect(abs(walker.advertiser(after: .zero).distance - walker.nearest) < 0.01)
        #expect(abs(walker.advertiser(after: .seconds(walker.period / 2)).distance - walker.farthest) < 0.01)
    }
}
