import BeaconModel
import FloorPlans
import Glibc
import InteractionStore
import Localisation
import RecordContract
import TestSupport

/// A floor of three rooms with a receiver in each. The eastern receiver hears 14 dB less than a plan says, in its own
/// room too, as if it hung in a cupboard. Badges 1 and 2 sit in the east, 3 in the west.
enum SurveyedFloor {
    static let plan = """
        [[floors]]
        site = "campus"
        building = "main"
        floor = "1"
        outline = [[0, 0], [18, 0], [18, 6], [0, 6]]
        [[floors.rooms]]
        name = "West"
        points = [[0, 0], [6, 0], [6, 6], [0, 6]]
        [[floors.rooms]]
        name = "Hall"
        points = [[6, 0], [12, 0], [12, 6], [6, 6]]
        [[floors.rooms]]
        name = "HB 2.11"
        points = [[12, 0], [18, 0], [18, 6], [12, 6]]
        [[floors.doors]]
        at = [6, 3]
        [[floors.doors]]
        at = [12, 3]
        """

    static let badges: [(number: UInt16, position: PlanPoint)] = [
        (1, PlanPoint(x: 15, y: 2)), (2, PlanPoint(x: 16.5, y: 3.5)), (3, PlanPoint(x: 2.5, y: 3)),
    ]
    private static let gateways: [(name: String, x: Double, loss: Double)] = [
        ("west", 3, 0), ("hall", 9, 0), ("east", 15, 14),
    ]

    /// RSSI of a badge at a gateway, in dBm.
    private static func level(_ gateway: Int, _ position: PlanPoint) -> Double {
        let receiver = gateways[gateway]
        let (dx, dy) = (position.x - receiver.x, position.y - 5)
        let walls = abs(Int(position.x / 6) - gateway)
        return -52 - 17 * log10(max(1, (dx * dx + dy * dy).squareRoot())) - 5 * Double(walls) - receiver.loss
    }

    /// Readings of the gateways, as JSON lines.
    static func lines(minutes: Range<Int64>, from start: Timestamp = BadgeRecords.morning) -> String {
        MinuteRecords.lines(records(minutes: minutes, from: start))
    }

    /// Readings of the gateways.
    static func records(minutes: Range<Int64>, from start: Timestamp = BadgeRecords.morning) -> [Record] {
        gateways.indices.flatMap { gateway -> [Record] in
            let place = Place(
                site: "campus", building: "main", floor: "1", gateway: gateways[gateway].name,
                position: .init(x: gateways[gateway].x, y: 5, z: 2),
                beacon: BeaconID(uuid: BadgeRecords.uuid, major: 9, minor: UInt16(gateway + 1)))
            var factory = RecordFactory(
                place: place, boot: 1, topics: Topics(prefix: "beacons", place: place), pseudonymizer: nil)
            return minutes.flatMap { minute in
                let heard = badges.map { badge, position in
                    Readings.Heard(
                        subject: .beacon(BeaconID(uuid: BadgeRecords.uuid, major: 1, minor: badge)), count: 55,
                        rssi: level(gateway, position))
                }
                let begin = start + .seconds(60 * minute)
                let readings = Readings(
                    startedAt: begin, interval: .seconds(60), decidedAt: begin + .seconds(60), listened: .seconds(60),
                    adapters: [.init(adapter: Adapter(index: 0), listened: .seconds(60))], subjects: heard)
                return factory.records(for: readings, clockIsSynchronized: true)
            }
        }
    }

    /// A survey of all rooms with badge 99.
    static func spots(from start: Int64 = BadgeRecords.morning.microseconds / 1_000_000 + 3600) -> [SurveySpot] {
        var spots: [SurveySpot] = []
        for room in 0..<3 {
            for (x, y) in [(1.0, 1.0), (5, 1), (3, 3), (1, 5), (5, 5)] {
                let position = PlanPoint(x: Double(6 * room) + x, y: y)
                spots.append(
                    SurveySpot(
                        badge: "\(BadgeRecords.uuid)/1/99", floor: "campus/main/1", position: position,
                        startedAt: start + Int64(spots.count) * 60, length: 30,
                        signals: gateways.indices.map {
                            .init(
                                receiver: "campus/main/1/\(gateways[$0].name)", rssi: level($0, position), seconds: 30)
                        }))
            }
        }
        return spots
    }

    /// Writes a configuration with the plan.
    static func configuration(_ directory: TemporaryDirectory, more: String = "") throws -> String {
        _ = try directory.write("floors.toml", plan)
        return try directory.write(
            "matcher.toml",
            """
            [store]
            location = "s.sqlite"
            [localisation]
            plan = "floors.toml"
            \(more)
            """)
    }

    /// Writes a configuration, stores the survey, and imports readings of 40 minutes.
    static func prepared(
        _ directory: TemporaryDirectory, isSurveyed: Bool = true, more: String = ""
    ) async throws -> (config: String, status: Int32, output: [String]) {
        let config = try configuration(directory, more: more)
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        if isSurveyed { for spot in spots() { _ = try store.add(spot) } }
        let file = try directory.write("records.jsonl", lines(minutes: 0..<40))
        let result = try await TestMatcher.run(["import", file, "--config", config, "--as-of", "2026-11-02T12:00:00Z"])
        return (config, result.status, result.output + result.errorOutput.filter { $0.hasPrefix("error") })
    }
}
