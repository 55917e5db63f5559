import BeaconModel
import Proximity
import Testing

@Suite struct DocumentedExampleTests {
    // Proximity.docc shows this code.
    @Test func `The example of the module's documentation tracks its beacon`() throws {
        let beacon = BeaconID(uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 7, minor: 26)
        let start = Timestamp(microseconds: 1_600_000_000_000_000)

        var tracker = InteractionTracker(rules: InteractionRules())
        var events: [InteractionEvent] = []
        for second in 0..<60 {
            let time = start + .seconds(second)
            events += tracker.observe(
                Sighting(
                    beacon: beacon, measuredPower: -59, rssi: RSSI(dBm: -65), adapter: Adapter(index: 0), time: time))
        }
        let distance = tracker.present.first?.distance
        #expect(events.map(\.kind) == [.started, .updated])
        #expect(try (1...4).contains(#require(distance).metres))
    }
}
