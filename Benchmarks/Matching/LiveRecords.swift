import BeaconModel
import RecordContract
import SystemIO

/// Records as a gateway publishes them, of an hour ago: what a matcher gets from a broker.
struct LiveRecords {
    private static let people: UInt64 = 20_000

    /// Prints so many, a line for each; the first line is their topic.
    static func print(_ count: UInt64, gateway: UInt16) {
        let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)
        let place = Place(
            site: "campus", building: "main", floor: "1", gateway: "g\(gateway)", room: "\(gateway)",
            beacon: BeaconID(uuid: uuid, major: 1, minor: gateway))
        var factory = RecordFactory(
            place: place, boot: 1, topics: Topics(prefix: "beacons", place: place),
            pseudonymizer: Pseudonymizer(secret: Array(repeating: 1, count: 32)))
        let start = WallClock.now() + .seconds(-7200)
        for number in 1...count {
            let startedAt = start + .seconds(Int64(number % 3000))
            let end = startedAt + .seconds(600)
            let interaction = Interaction(
                number: number, continues: nil, subject: .contactUser(.herald, number &* 7919 % Self.people),
                startedAt: startedAt, lastSeenAt: end, ending: .init(at: end, reason: .departed), samples: 4800,
                rssi: .init(median: -65, minimum: -80, maximum: -55),
                distance: DistanceEstimate(
                    metres: 3, lower: 2, upper: 4.5, probabilityWithin: Within(threeMetres: 0.5, sixMetres: 0.95)),
                proximity: .near, expectedMinutesWithin: Within(threeMetres: 5, sixMetres: 9.5),
                reception: .init(interval: 0.125, heardShare: 1, silence: .seconds(10)))
            let event = InteractionEvent(kind: .ended, time: end, interaction: interaction)
            guard let record = factory.record(for: event, clockIsSynchronized: true) else { continue }
            if number == 1 { Swift.print(record.topic) }
            Swift.print(String(decoding: record.encoded(historical: false), as: UTF8.self))
        }
    }
}
