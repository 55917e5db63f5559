import BeaconModel
package import Evidence
package import Matching
import OperatorText

/// Conversion of a phone's readings to stays. Pure.
package enum PhoneStays {
    /// Longest gap in a stay, in seconds. In the background, a phone ranges for seconds each time that Core Location
    /// wakes it; this happens when it leaves a region, which it notices 30 s late.
    package static let gap: Int64 = 120
    /// Maximum length of a phone's stay, in seconds; longer ones are cut, as gateways cut interactions.
    package static let longest: Int64 = 1800
    /// Factor between a distance and its bounds. Bounds of Core Location's `accuracy`, which is one standard deviation,
    /// are not published. A log-normal error of a factor of 1.75 has 90 % of distances within a factor of 2.5 of it, as
    /// measured for phones indoors.
    package static let factor = 2.5
    /// Maximum distance in metres.
    private static let farthest = 1000.0

    /// Joins readings into stays.
    ///
    /// - Returns: stays, and for each reading the index of its stay.
    package static func stays(
        _ readings: [PhoneReport.Reading], of phone: SubjectIdentity
    ) throws(APIError) -> (stays: [PhoneStay], parts: [Int]) {
        guard (1...PhoneReport.mostReadings).contains(readings.count) else {
            throw .invalid(
                "interactions", "has \(readings.count) entries", "must have 1 to \(PhoneReport.mostReadings)")
        }
        var checked: [Reading] = []
        for (index, reading) in readings.enumerated() { checked.append(try check(reading, index)) }
        checked.sort { ($0.beacon, $0.time, $0.index) < ($1.beacon, $1.time, $1.index) }
        var stays: [PhoneStay] = []
        var parts = [Int](repeating: 0, count: readings.count)
        var group: [Reading] = []
        func close() {
            guard let first = group.first, let last = group.last else { return }
            for reading in group { parts[reading.index] = stays.count }
            stays.append(
                PhoneStay(
                    phone: phone, beacon: first.beacon, start: first.time, end: last.time,
                    samples: Int64(group.count), distance: distance(group.compactMap(\.metres))))
            group = []
        }
        for reading in checked {
            if let first = group.first, let last = group.last,
                first.beacon != reading.beacon || reading.time - last.time > gap || reading.time - first.time > longest
            {
                close()
            }
            group.append(reading)
        }
        close()
        return (stays, parts)
    }

    private struct Reading {
        var index: Int
        var beacon: String
        var time: Int64
        var metres: Double?
    }

    /// A checked reading of a beacon.
    package struct Ranged: Equatable, Sendable {
        /// The beacon as `uuid/major/minor`.
        package var beacon: String
        /// Time in seconds since 1970.
        package var time: Int64
        /// Distance in metres; `nil` if it is unknown.
        package var metres: Double?

        package init(beacon: String, time: Int64, metres: Double?) {
            self.beacon = beacon
            self.time = time
            self.metres = metres
        }
    }

    /// Checks readings.
    ///
    /// - Throws: `APIError` for the first one that is impossible.
    package static func ranged(_ readings: [PhoneReport.Reading]) throws(APIError) -> [Ranged] {
        var ranged: [Ranged] = []
        for (index, reading) in readings.enumerated() {
            let checked = try check(reading, index)
            ranged.append(Ranged(beacon: checked.beacon, time: checked.time, metres: checked.metres))
        }
        return ranged
    }

    private static func check(_ reading: PhoneReport.Reading, _ index: Int) throws(APIError) -> Reading {
        let place = "interactions[\(index)]"
        guard let uuid = ProximityUUID(reading.uuid) else {
            throw .invalid("\(place).uuid", "found \(reading.uuid.excerpt)", "must be a UUID")
        }
        guard let major = UInt16(exactly: reading.major), let minor = UInt16(exactly: reading.minor) else {
            throw .invalid("\(place)", "has a major or minor beyond 65535", "must have them from 0 to 65535")
        }
        guard let time = RFC3339Text.parse(reading.timestamp) else {
            throw .invalid(
                "\(place).timestamp", "found \(reading.timestamp.excerpt)", "must be a time: 2026-11-02T09:30:00Z")
        }
        var metres = reading.distance
        if let value = metres {
            guard value == -1 || (0...farthest).contains(value) else {
                throw .invalid("\(place).distance", "is impossible", "must be metres from 0 to 1000, or -1 for unknown")
            }
            if value == -1 { metres = nil }
        }
        if case .unknown? = reading.proximity { metres = nil }
        return Reading(
            index: index, beacon: BeaconID(uuid: uuid, major: major, minor: minor).description,
            time: time.microseconds / 1_000_000, metres: metres)
    }

    /// Returns the median with its bounds.
    private static func distance(_ metres: [Double]) -> Stay.Distance? {
        guard !metres.isEmpty else { return nil }
        let median = metres.sorted()[(metres.count - 1) / 2]
        func centimetres(_ metres: Double) -> Int64 { Int64((min(metres, farthest) * 100).rounded()) }
        return Stay.Distance(
            centimetres: centimetres(median), lower: centimetres(median / factor), upper: centimetres(median * factor))
    }
}
