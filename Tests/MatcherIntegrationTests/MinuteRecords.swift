import BeaconModel
import RecordContract

/// Readings of the gateways of a floor, as they publish them: badges 1 and 2 sit in the east, badge 3 in the west.
enum MinuteRecords {
    static let gateways = [("east", "101"), ("hall", "corridor"), ("west", "102")]
    /// dBm, by gateway and badge.
    private static let rssi: [String: [Double]] = [
        "east": [-55, -57, -82], "hall": [-68, -69, -70], "west": [-80, -83, -54],
    ]

    /// Minutes of a gateway's silence.
    struct Deafness {
        var gateway: String
        var minutes: Range<Int64>
    }

    /// - Parameters:
    ///   - start: a whole minute.
    ///   - boot: of the gateways.
    /// - Returns: minute by minute.
    static func records(
        from start: Timestamp, minutes: Range<Int64>, deaf: Deafness? = nil, boot: UInt64 = 1,
        gateways: [(String, String)] = gateways
    ) -> [Record] {
        var factories = gateways.map { name, room in
            let place = place(name, room)
            return RecordFactory(
                place: place, boot: boot, topics: Topics(prefix: "beacons", place: place), pseudonymizer: nil)
        }
        return minutes.flatMap { minute in
            gateways.indices.flatMap { index in
                let isDeaf = deaf.map { $0.gateway == gateways[index].0 && $0.minutes.contains(minute) } ?? false
                let subjects = isDeaf ? [] : heard(by: gateways[index].0)
                return factories[index].records(
                    for: readings(from: start + .seconds(60 * minute), subjects, isDeaf: isDeaf),
                    clockIsSynchronized: true)
            }
        }
    }

    /// As JSON lines.
    static func lines(_ records: [Record]) -> String {
        records.map { String(decoding: $0.encoded(historical: false), as: UTF8.self) + "\n" }.joined()
    }

    private static func place(_ gateway: String, _ room: String) -> Place {
        Place(site: "campus", building: "main", floor: "1", gateway: gateway, room: room)
    }

    private static func heard(by gateway: String) -> [Readings.Heard] {
        (rssi[gateway] ?? []).enumerated().map { index, rssi in
            .init(
                subject: .beacon(BeaconID(uuid: BadgeRecords.uuid, major: 1, minor: UInt16(index + 1))), count: 55,
                rssi: rssi)
        }
    }

    private static func readings(from start: Timestamp, _ subjects: [Readings.Heard], isDeaf: Bool) -> Readings {
        let listened: Duration = isDeaf ? .zero : .seconds(60)
        return Readings(
            startedAt: start, interval: .seconds(60), decidedAt: start + .seconds(60), listened: listened,
            adapters: [.init(adapter: Adapter(index: 0), listened: listened)], subjects: subjects)
    }
}
