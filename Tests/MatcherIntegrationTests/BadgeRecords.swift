import BeaconModel
import OperatorText
import RecordContract

/// Records of badges as a gateway publishes them.
enum BadgeRecords {
    static let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)

    /// 2026-11-02T08:00:00Z.
    static let morning = Timestamp(microseconds: 1_793_606_400 * 1_000_000)

    /// A badge was at the gateway from one minute to another, at so many metres.
    struct Stay {
        var badge: UInt16
        var minutes: ClosedRange<Int64>
        var metres: Double
        /// That it is over.
        var isEnded = true
        /// Of the badge; people carry 1.
        var major: UInt16 = 1
    }

    static func place(gateway: String = "east", room: String = "101", minor: UInt16 = 9) -> Place {
        Place(
            site: "campus", building: "main", floor: "1", gateway: gateway, room: room,
            beacon: BeaconID(uuid: uuid, major: 9, minor: minor))
    }

    /// `KIND:ID` of a badge.
    static func badge(_ minor: UInt16) -> String { "badge:\(uuid)/1/\(minor)" }

    /// - Parameter start: what minutes are counted from.
    static func records(
        _ stays: [Stay], from start: Timestamp = morning, place: Place = place(), boot: UInt64 = 1,
        clockIsSynchronized: Bool = true
    ) -> [Record] {
        var factory = RecordFactory(
            place: place, boot: boot, topics: Topics(prefix: "beacons", place: place), pseudonymizer: nil)
        return stays.enumerated().compactMap { index, stay in
            let startedAt = start + .seconds(stay.minutes.lowerBound * 60)
            let end = start + .seconds(stay.minutes.upperBound * 60)
            let interaction = Interaction(
                number: UInt64(index) + 1, continues: nil,
                subject: .beacon(BeaconID(uuid: uuid, major: stay.major, minor: stay.badge)), startedAt: startedAt,
                lastSeenAt: end, ending: stay.isEnded ? .init(at: end, reason: .departed) : nil, samples: 100,
                rssi: .init(median: -60, minimum: -70, maximum: -50),
                distance: DistanceEstimate(
                    metres: stay.metres, lower: stay.metres * 0.8, upper: stay.metres * 1.25,
                    probabilityWithin: Within(threeMetres: 0.9, sixMetres: 1)),
                proximity: .near, expectedMinutesWithin: Within(threeMetres: 1, sixMetres: 1),
                reception: .init(interval: 0.1, heardShare: 1, silence: .seconds(10)))
            let event = InteractionEvent(
                kind: stay.isEnded ? .ended : .updated, time: end, interaction: interaction)
            return factory.record(for: event, clockIsSynchronized: clockIsSynchronized)
        }
    }

    /// As JSON lines.
    static func lines(
        _ stays: [Stay], from start: Timestamp = morning, place: Place = place(), clockIsSynchronized: Bool = true
    ) -> String {
        records(stays, from: start, place: place, clockIsSynchronized: clockIsSynchronized).map {
            String(decoding: $0.encoded(historical: false), as: UTF8.self) + "\n"
        }.joined()
    }
}
