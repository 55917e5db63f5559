import BeaconModel

@testable import RecordContract

/// A gateway in a building, and somebody heard there.
enum Fixtures {
    static let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)
    static let badge = BeaconID(uuid: uuid, major: 7, minor: 2603)
    static let placeBeacon = BeaconID(uuid: uuid, major: 1, minor: 2)
    static let place = Place(
        site: "mcgill", building: "trottier", floor: "3", gateway: "gw-3a", room: "3060",
        position: Place.Position(x: 1.5, y: 2, z: 2.4), beacon: placeBeacon)
    static let topics = Topics(prefix: "beacons", place: place)
    /// 2020-11-15T12:00:00Z.
    static let noon = Timestamp(microseconds: 1_605_441_600_000_000)

    static func interaction(
        number: UInt64 = 1, subject: Subject = .beacon(badge), ending: Interaction.Ending? = nil
    ) -> Interaction {
        Interaction(
            number: number, continues: nil, subject: subject, startedAt: noon, lastSeenAt: noon + .seconds(90),
            ending: ending, samples: 42, rssi: .init(median: -64, minimum: -71, maximum: -58),
            distance: DistanceEstimate(
                metres: 1.666_6, lower: 0.801, upper: 3.459_9,
                probabilityWithin: Within(threeMetres: 0.912_34, sixMetres: 0.998_76)),
            proximity: .near, expectedMinutesWithin: Within(threeMetres: 1.234_56, sixMetres: 1.5),
            reception: .init(interval: 0.104_96, heardShare: 0.876, silence: .milliseconds(12_340)))
    }

    static func event(_ kind: InteractionEvent.Kind, number: UInt64 = 1) -> InteractionEvent {
        InteractionEvent(
            kind: kind, time: noon + .seconds(120),
            interaction: interaction(
                number: number, ending: kind == .ended ? .init(at: noon + .seconds(90), reason: .departed) : nil))
    }

    static func factory(boot: UInt64 = 3, pseudonymizer: Pseudonymizer? = nil) -> RecordFactory {
        RecordFactory(place: place, boot: boot, topics: topics, pseudonymizer: pseudonymizer)
    }

    /// Records with sequence numbers from 1, of the given kinds.
    static func records(_ kinds: [InteractionEvent.Kind]) -> [Record] {
        var factory = factory()
        return kinds.compactMap { factory.record(for: event($0), clockIsSynchronized: true) }
    }
}
