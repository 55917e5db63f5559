import BeaconModel
import RecordContract

/// Records as a busy gateway makes them.
struct SampleRecords {
    /// Pre-encoded, as a bare publisher gets them.
    let messages: [(topic: String, payload: [UInt8])]
    let topics = 100

    init(count: Int) {
        var factory = Self.factory
        messages = (0..<count).compactMap { index in
            factory.record(for: Self.event(index), clockIsSynchronized: true).map {
                ($0.topic, $0.encoded(historical: false))
            }
        }
    }

    /// As it waits in the outbox; every tenth begins or ends something.
    func record(_ index: Int) -> OutboxRecord {
        let message = messages[index % messages.count]
        return OutboxRecord(
            topic: message.topic, priority: index % 10 == 0 ? .ended : .updated,
            position: RecordPosition(boot: 1, sequence: UInt64(index + 1)), payload: message.payload)
    }

    static var factory: RecordFactory {
        let place = Place(
            site: "mcgill", building: "trottier", floor: "3", gateway: "gw-3a", room: "3060",
            position: .init(x: 1.5, y: 2, z: 2.4),
            beacon: BeaconID(uuid: ProximityUUID(bits: 1 << 100), major: 3, minor: 1))
        return RecordFactory(
            place: place, boot: 1_605_441_600, topics: Topics(prefix: "beacons", place: place), pseudonymizer: nil)
    }

    static func event(_ index: Int) -> InteractionEvent {
        let time = Timestamp(microseconds: 1_605_441_600_000_000) + .seconds(Double(index))
        let beacon = BeaconID(uuid: ProximityUUID(bits: 1 << 100), major: 7, minor: UInt16(index % 100))
        return InteractionEvent(
            kind: .updated, time: time,
            interaction: Interaction(
                number: UInt64(index), continues: nil, subject: .beacon(beacon), startedAt: time, lastSeenAt: time,
                ending: nil, samples: 42, rssi: .init(median: -64, minimum: -71, maximum: -58),
                distance: DistanceEstimate(
                    metres: 1.67, lower: 0.8, upper: 3.46,
                    probabilityWithin: Within(threeMetres: 0.912, sixMetres: 0.998)),
                proximity: .near, expectedMinutesWithin: Within(threeMetres: 1.234, sixMetres: 1.5),
                reception: .init(interval: 0.105, heardShare: 0.876, silence: .milliseconds(12_340))))
    }
}
