import Advertisement
import BeaconModel
import Testing

@Suite struct DocumentedExampleTests {
    // Advertisement.docc shows this code.
    @Test func `The example of the module's documentation decodes what it encodes`() {
        let beacon = BeaconID(uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 3, minor: 1)
        let data = IBeacon.advertisingData(beacon, measuredPower: -59)

        let decoded = AdvertisingData.decode(data.span)
        #expect(decoded == .init(identity: .iBeacon(beacon, measuredPower: -59)))
    }
}
