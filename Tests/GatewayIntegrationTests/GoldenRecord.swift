import FoundationEssentials

/// A record of an interaction, read as any consumer would.
struct GoldenRecord: Decodable {
    struct Details: Decodable {
        struct Beacon: Decodable {
            var minor: Int
        }

        struct Counterpart: Decodable {
            var kind: String
        }

        struct RSSI: Decodable {
            var median: Int
            var min: Int
            var max: Int
        }

        struct Distance: Decodable {
            var metres: Double
            var lower: Double
            var upper: Double
        }

        struct Within: Decodable {
            var threeMetres: Double
            var sixMetres: Double

            enum CodingKeys: String, CodingKey {
                case threeMetres = "3m"
                case sixMetres = "6m"
            }
        }

        struct Reception: Decodable {
            var intervalSeconds: Double?
            var heardShare: Double?
            var silenceSeconds: Double
        }

        var beacon: Beacon
        var counterpart: Counterpart
        var interaction: String
        var sequence: UInt64
        var startedAt: String
        var lastSeenAt: String
        var endedAt: String?
        var endReason: String?
        var samples: UInt64
        var rssi: RSSI?
        var distance: Distance?
        var probabilityWithin: Within?
        var expectedMinutesWithin: Within
        var reception: Reception
    }

    var type: String
    var time: String
    var data: Details

    /// Those of interactions.
    static func read(_ lines: [String]) throws -> [GoldenRecord] {
        try lines.filter { isInteraction($0) }.map { try JSONDecoder().decode(GoldenRecord.self, from: Data($0.utf8)) }
    }

    static func isInteraction(_ line: String) -> Bool { line.contains(#""type":"interaction."#) }

    /// What readings say of their subjects.
    struct Readings: Decodable {
        struct Details: Decodable {
            var startedAt: String
            var listenedSeconds: Double
            var subjects: [Group]
        }
        struct Group: Decodable {
            var kind: String
            var minors: [UInt16]?
            var counts: [UInt64]
        }
        var data: Details

        static func read(_ lines: [String]) throws -> [Readings] {
            try lines.filter { $0.contains(#""type":"readings""#) }
                .map { try JSONDecoder().decode(Readings.self, from: Data($0.utf8)) }
        }

        /// By minor number of a beacon, or kind of a phone.
        var counts: [(who: String, count: UInt64)] {
            data.subjects.flatMap { group in
                zip(group.minors?.map { String($0) } ?? group.counts.map { _ in group.kind }, group.counts)
                    .map { ($0, $1) }
            }
        }
    }

    static func isAlert(_ line: String) -> Bool { line.contains(#""type":"social-distance."#) }

    /// What all records have.
    struct Numbered: Decodable {
        struct Details: Decodable { var sequence: UInt64 }
        var time: String
        var data: Details
    }

    static func numbers(_ lines: [String]) throws -> [Numbered] {
        try lines.map { try JSONDecoder().decode(Numbered.self, from: Data($0.utf8)) }
    }

    var kind: String { String(type.dropFirst("interaction.".count)) }
    /// The minor number of a beacon, the kind of a phone.
    var who: String { data.counterpart.kind == "gateway" ? String(data.beacon.minor) : data.counterpart.kind }

    /// What contradicts itself. Times have one width, so that their order is that of their letters.
    var defects: [String] {
        var defects: [String] = []
        func check(_ holds: Bool, _ what: String) { if !holds { defects.append(what) } }
        check(data.startedAt <= data.lastSeenAt, "last seen before its start")
        check(data.lastSeenAt <= time, "seen after the record's time")
        check((data.endedAt != nil) == (kind == "ended"), "an end without a time, or a time without an end")
        check((data.endReason != nil) == (kind == "ended"), "an end without a reason, or a reason without an end")
        if let end = data.endedAt { check(data.startedAt <= end && data.lastSeenAt <= end && end <= time, "end") }
        check(data.samples >= 1, "no samples")
        if let rssi = data.rssi { check(rssi.min <= rssi.median && rssi.median <= rssi.max, "rssi") }
        check((data.distance == nil) == (data.probabilityWithin == nil), "a distance without probabilities")
        if let distance = data.distance {
            check(0 < distance.lower && distance.lower <= distance.metres, "lower bound")
            check(distance.metres <= distance.upper, "upper bound")
        }
        for within in [data.probabilityWithin, data.expectedMinutesWithin].compactMap({ $0 }) {
            check(0 <= within.threeMetres && within.threeMetres <= within.sixMetres, "within 3 m but not 6 m")
        }
        if let within = data.probabilityWithin { check(within.sixMetres <= 1, "a probability above 1") }
        let reception = data.reception
        check(reception.silenceSeconds > 0, "silence")
        if let interval = reception.intervalSeconds { check(interval > 0, "interval") }
        if let share = reception.heardShare { check(0 < share && share <= 1, "share") }
        return defects
    }
}
