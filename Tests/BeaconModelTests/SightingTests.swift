import BeaconModel
import Testing

@Suite("Sighting")
struct SightingTests {
    private let beacon = BeaconID(uuid: ProximityUUID(bits: 1), major: 2, minor: 3)

    @Test("A sighting takes time, adapter, address and strength from its report")
    func fromReport() {
        let report = AdvertisingReport(
            time: Timestamp(microseconds: 5), adapter: Adapter(index: 1), address: BluetoothAddress(bits: 7),
            addressKind: .random, rssi: RSSI(dBm: -70), isConnectable: false, isScanResponse: false)
        let sighting = Sighting(report: report, identity: .iBeacon(beacon, measuredPower: -59))
        #expect(sighting.time == Timestamp(microseconds: 5))
        #expect(sighting.adapter == Adapter(index: 1))
        #expect(sighting.address == BluetoothAddress(bits: 7))
        #expect(sighting.rssi == RSSI(dBm: -70))
    }

    @Test("A beacon is the same subject at whatever power it says")
    func subjectOfBeacon() {
        #expect(AdvertisedIdentity.iBeacon(beacon, measuredPower: -59).subject(address: nil) == .beacon(beacon))
        #expect(AdvertisedIdentity.iBeacon(beacon, measuredPower: -80).subject(address: nil) == .beacon(beacon))
    }

    @Test("A phone's subject is its rolling identifier, printed as 32 digits")
    func subjectOfPhone() {
        let identifier = RollingProximityIdentifier(bits: 0xAB)
        let identity = AdvertisedIdentity.exposureNotification(identifier, encryptedMetadata: 1)
        #expect(identity.subject(address: nil) == .exposureNotification(identifier))
        #expect(identifier.description == "000000000000000000000000000000ab")
    }
}
