import FoundationEssentials

/// What the scenario has on the air, and how it must come out of `beacon-gateway scan`.
struct ExpectedBeacon {
    var address: String
    var uuid: String
    var major: Int
    var minor: Int
    var measuredPower: Int
    var rssi: Int
    var count: Int

    /// The three iBeacons of scenarios/beacons.txt.
    static let all = [
        ExpectedBeacon(
            address: "C0:11:22:33:44:01", uuid: "b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401", major: 7, minor: 2603,
            measuredPower: -59, rssi: -47, count: 30),
        ExpectedBeacon(
            address: "C0:11:22:33:44:02", uuid: "0f3c9a72-84e1-4b0d-b652-5e9d40c7a318", major: 513, minor: 65535,
            measuredPower: -72, rssi: -81, count: 30),
        ExpectedBeacon(
            address: "F4:11:22:33:44:03", uuid: "b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401", major: 0, minor: 1,
            measuredPower: -4, rssi: -66, count: 30),
    ]

    /// Everything in which the sightings differ from what was on the air; empty when nothing does.
    static func differences(in sightings: [Sighting]) -> [String] {
        let beacons = sightings.filter { $0.kind == "ibeacon" }
        var differences = all.flatMap { expected -> [String] in
            let heard = beacons.filter { $0.address == expected.address }
            var differences: [String] = []
            if heard.count != expected.count {
                differences.append("\(expected.address) was heard \(heard.count) times, not \(expected.count)")
            }
            for sighting in heard where !expected.matches(sighting) {
                differences.append("\(expected.address) came out as \(sighting)")
            }
            return differences
        }
        let strangers = beacons.filter { sighting in !all.contains { $0.address == sighting.address } }
        differences += strangers.map { "nobody advertised \($0)" }
        return differences
    }

    private func matches(_ sighting: Sighting) -> Bool {
        sighting.uuid == uuid && sighting.major == major && sighting.minor == minor
            && sighting.measuredPower == measuredPower && sighting.rssi == rssi && sighting.adapter == "hci0"
    }
}

/// A line of `beacon-gateway scan`, read as any consumer would.
struct Sighting: Decodable {
    var time: String
    var adapter: String
    var address: String
    var rssi: Int?
    var kind: String
    var uuid: String?
    var major: Int?
    var minor: Int?
    var measuredPower: Int?
    var identifier: String?

    /// - Throws: `DecodingError` for a line that isn't such an object.
    static func read(_ lines: [String]) throws -> [Sighting] {
        try lines.map { try JSONDecoder().decode(Sighting.self, from: Data($0.utf8)) }
    }
}
