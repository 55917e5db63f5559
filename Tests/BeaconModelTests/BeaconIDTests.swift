import BeaconModel
import Testing

@Suite("BeaconID")
struct BeaconIDTests {
    private let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)

    @Test("A beacon is printed as the levels of its topic")
    func printing() {
        #expect(
            BeaconID(uuid: uuid, major: 1, minor: 65535).description == "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/65535")
    }

    @Test("Beacons are ordered by UUID, then major, then minor")
    func order() {
        let ordered = [
            BeaconID(uuid: ProximityUUID(bits: 1), major: 9, minor: 9), BeaconID(uuid: uuid, major: 1, minor: 9),
            BeaconID(uuid: uuid, major: 2, minor: 1), BeaconID(uuid: uuid, major: 2, minor: 2),
        ]
        #expect(ordered.reversed().sorted() == ordered)
    }
}
