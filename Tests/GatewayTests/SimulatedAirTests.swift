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

    @Test("A share of the advertisements is lost, and those that are too weak")
    func losses() {
        var air = SimulatedAir(seed: 1, spread: 7, loss: 0.3)
        let data = IBeacon.advertisingData(Capture.badge, measuredPower: -59)
        func count(attenuation: Double) -> Int {
            let advertiser = SimulatedAir.Advertiser(
                address: BluetoothAddress(bits: 0xC000_0000_0101), data: data, distance: 2, attenuation: attenuation)
            return (0..<1000).count { _ in !air.batch(at: .epoch, from: [advertiser]).isEmpty }
        }
        #expect((640...760).contains(count(attenuation: 0)))
        #expect(count(attenuation: 45) == 0, "-110 dBm is not received")
    }

    @Test("Gateways with different seeds receive different noise, and with the same seed the same")
    func seeds() {
        let advertiser = SimulatedAir.Advertiser(
            address: BluetoothAddress(bits: 0xC000_0000_0101),
            data: IBeacon.advertisingData(Capture.badge, measuredPower: -59), distance: 2)
        func strengths(seed: UInt64) -> [Int8] {
            var air = SimulatedAir(seed: seed)
            var strengths: [Int8] = []
            for _ in 0..<20 {
                _ = air.batch(at: .epoch, from: [advertiser]).forEachReport { report, _ in
                    strengths.append(report.rssi?.dBm ?? 0)
                }
            }
            return strengths
        }
        #expect(strengths(seed: 1) == strengths(seed: 1))
        #expect(strengths(seed: 1) != strengths(seed: 2))
    }

    @Test("A walker goes from near to far and back")
    func walker() {
        let walker = DemoBuilding.walkers[0]
        #expect(abs(walker.advertiser(after: .zero).distance - walker.nearest) < 0.01)
        #expect(abs(walker.advertiser(after: .seconds(walker.period / 2)).distance - walker.farthest) < 0.01)
    }
}
