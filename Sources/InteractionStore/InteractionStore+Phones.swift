package import Evidence
import Matching
import RecordContract

extension InteractionStore {
    /// The result of storing a phone's stay.
    package enum PhoneOutcome: String, Equatable, Sendable {
        case stored
        /// No gateway has reported the beacon, and no configuration names it. Otherwise anybody could fill the store
        /// with invented beacons.
        case unknownBeacon = "unknown-beacon"
        case expired, future, erased
        /// The stay ended too long ago.
        case late
        /// The phone was on another floor at that time, or at too many places.
        case elsewhere
        /// The phone has already reported that place and time, or a later part of it.
        case overlapping
        /// No receiver heard the phone there when the stay ended.
        case unproven
        /// The stay began before a report of the phone: stays that it sends afterwards must not expose anybody by that
        /// report.
        case reported
    }

    /// Stores the stays that phones ranged themselves, in one transaction. Repeating a stay, or a part of it, changes
    /// nothing: a stay is identified by phone, beacon and start.
    ///
    /// Of stays that cannot be true together, the nearest is accepted: a phone may hear a beacon through a ceiling.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - tolerance: maximum lead of a phone's clock, in seconds.
    ///   - patience: seconds after its end for which a stay is accepted; default: as long as interactions are kept.
    /// - Returns: the outcome of each stay, in their order.
    /// - Throws: `StoreError`.
    package func store(
        _ stays: [PhoneStay], now: Int64, tolerance: Int64 = 120, within patience: Int64? = nil
    ) throws -> [PhoneOutcome] {
        try storing { session in
            var places: [String: Int64?] = [:]
            var reported: [SubjectIdentity: Int64?] = [:]
            var outcomes = try stays.map { stay -> PhoneOutcome in
                let outcome = try outcome(of: stay, now: now, tolerance: tolerance, &places, &reported, session)
                guard outcome == .stored, let patience, stay.end < now - patience else { return outcome }
                return .late
            }
            var taken: [Int] { outcomes.indices.filter { outcomes[$0] == .stored } }
            func place(of index: Int) -> Int64? { places[stays[index].beacon] ?? nil }
            let heard = try heardProofs(Set(taken.flatMap { stays[$0].proofs ?? [] }.map(\.beacon)), session)
            // A stay whose proofs were not heard is nowhere, so the interactions at its place, which may be many, are
            // not searched.
            let mayBeThere = taken.filter { stays[$0].proofs?.contains { heard[$0.beacon] != nil } ?? true }
            let known = try floors(ofPlaces: Set(mayBeThere.compactMap { place(of: $0) }), now: now, session)
            var standing: [Int: Set<String>] = [:]
            for index in taken {
                let possible = place(of: index).flatMap { known[$0] } ?? []
                standing[index] = possible
                guard let proofs = stays[index].proofs else { continue }
                let proven = possible.filter { floor in
                    proofs.contains { proof in
                        heard[proof.beacon]?.contains { $0.proves(stays[index], by: proof, onFloor: floor) } ?? false
                    }
                }
                standing[index] = proven
                if proven.isEmpty { outcomes[index] = .unproven }
            }
            var presences = try presences(of: taken.map { stays[$0] }, now: now, session)
            var starts: [Int: Int64] = [:]
            for index in taken.sorted(by: { Self.isNearer(stays[$0], stays[$1]) }) {
                let stay = stays[index]
                guard let place = place(of: index) else { continue }
                let presence = PhonePresence.Stay(
                    place: place, floors: standing[index] ?? [], start: stay.start, end: stay.end)
                switch presences[stay.phone]?.admit(presence) {
                case .taken(let start)?: starts[index] = start
                case .overlapping?: outcomes[index] = .overlapping
                case .elsewhere?, nil: outcomes[index] = .elsewhere
                }
            }
            let accepted = taken.compactMap { index -> (place: Int64, record: InteractionRecord)? in
                var stay = stays[index]
                stay.start = starts[index] ?? stay.start
                return place(of: index).map { (place: $0, record: Self.record(stay)) }
            }
            try write(accepted, today: now / Self.day, session)
            return outcomes
        }
    }

    /// Whether the left stay is nearer; an unknown distance counts as the farthest.
    private static func isNearer(_ left: PhoneStay, _ right: PhoneStay) -> Bool {
        func rank(_ stay: PhoneStay) -> (Int64, Int64, Int64, String) {
            (stay.distance?.centimetres ?? Int64.max, stay.start, stay.end, stay.beacon)
        }
        return rank(left) < rank(right)
    }

    /// Days for which a floor counts on which gateways heard a beacon that is not theirs.
    private static let floorDays: Int64 = 2

    /// Returns the floors of places as `site/building/floor`. A gateway's own beacon is where the gateway says. Other
    /// beacons are on the floors whose gateways heard them like badges, or on none if no gateway did.
    private func floors(
        ofPlaces places: Set<Int64>, now: Int64, _ session: any SQLSession
    ) throws -> [Int64: Set<String>] {
        var known: [Int64: Set<String>] = [:]
        for place in places.sorted() {
            let row = try session.first(
                "SELECT site, building, floor, name FROM place WHERE id = $1", [.integer(place)]
            ) { row in (floor: Self.floor(row, at: 0), name: row.text(3) ?? "") }
            guard let row else { continue }
            if let floor = row.floor {
                known[place] = [floor]
            } else {
                known[place] = try floors(hearing: row.name, since: now - Self.floorDays * Self.day, session)
            }
        }
        return known
    }

    /// Returns the floors whose gateways heard a beacon like a badge.
    private func floors(
        hearing beacon: String, since: Int64, _ session: any SQLSession
    ) throws -> Set<String> {
        guard let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: beacon),
            let subject = try session.number(of: badge)
        else { return [] }
        var heard: Set<String> = []
        try session.query(
            """
            SELECT DISTINCT p.site, p.building, p.floor FROM interaction i JOIN place p ON p.id = i.place \
            WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) AND i.started >= $2 AND i.ended >= $3
            """,
            [.integer(subject), .integer(since - session.longest()), .integer(since)]
        ) { row in
            if let floor = Self.floor(row, at: 0) { heard.insert(floor) }
        }
        return heard
    }

    private static func floor(_ row: SQLRow, at column: Int32) -> String? {
        let levels = (column...column + 2).map { row.text($0) ?? "" }
        return levels.contains("") ? nil : levels.joined(separator: "/")
    }

    /// Returns the places that phones had reported during these stays.
    private func presences(
        of stays: [PhoneStay], now: Int64, _ session: any SQLSession
    ) throws -> [SubjectIdentity: PhonePresence] {
        var presences: [SubjectIdentity: PhonePresence] = [:]
        let longest = try session.longest()
        for (phone, stays) in Dictionary(grouping: stays, by: \.phone) {
            let (start, end) = (stays.map(\.start).min() ?? 0, stays.map(\.end).max() ?? 0)
            var found: [PhonePresence.Stay] = []
            if let subject = try session.number(of: phone), let origin = try session.number(ofOrigin: Self.phones) {
                // Uses the index by subject and day, so other subjects' rows are not scanned.
                try session.query(
                    """
                    SELECT i.place, i.started, i.ended, p.site, p.building, p.floor FROM interaction i \
                    JOIN place p ON p.id = i.place WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) \
                    AND i.started BETWEEN $2 AND $3 AND i.ended >= $4 AND i.origin = $5
                    """,
                    [
                        .integer(subject), .integer(start - longest), .integer(end), .integer(start),
                        .integer(origin),
                    ]
                ) { row in
                    found.append(
                        PhonePresence.Stay(
                            place: row.integer(0), floors: Self.floor(row, at: 3).map { [$0] } ?? [],
                            start: row.integer(1), end: row.integer(2)))
                }
            }
            let unknown = Set(found.filter(\.floors.isEmpty).map(\.place))
            let known = try floors(ofPlaces: unknown, now: now, session)
            for index in found.indices where found[index].floors.isEmpty {
                found[index].floors = known[found[index].place] ?? []
            }
            presences[phone] = PhonePresence(found)
        }
        return presences
    }

    /// Origin of the stays that phones report themselves.
    package static let phones = "phones"

    private func outcome(
        of stay: PhoneStay, now: Int64, tolerance: Int64, _ places: inout [String: Int64?],
        _ reported: inout [SubjectIdentity: Int64?], _ session: any SQLSession
    ) throws -> PhoneOutcome {
        if stay.end > now + tolerance { return .future }
        switch refusal(of: Self.record(stay), now: now) {
        case .expired?: return .expired
        case .future?: return .future
        case .erased?: return .erased
        // Only records of gateways are compared with each other.
        case .changed?, .contradicting?, .revoked?, .overQuota?, .manyDays?, nil: break
        }
        if reported[stay.phone] == nil {
            reported[stay.phone] = .some(
                try session.first(
                    "SELECT max(r.received) FROM report r JOIN report_subject s ON s.report = r.id "
                        + "WHERE s.name = $1 AND s.kind = $2", [.text(stay.phone.id), .text(stay.phone.kind)]
                ) { $0.optionalInteger(0) } ?? nil)
        }
        if let received = reported[stay.phone] ?? nil, stay.start <= received { return .reported }
        if places[stay.beacon] == nil {
            places[stay.beacon] = .some(
                try session.first(
                    "SELECT id FROM place WHERE name = $1 AND beacon IS NOT NULL", [.text(stay.beacon)]
                ) { $0.integer(0) })
        }
        return places[stay.beacon] == .some(nil) ? .unknownBeacon : .stored
    }

    /// Returns a stay as a record. Its end is its sequence, so a later end wins, as a later record of a gateway does.
    private static func record(_ stay: PhoneStay) -> InteractionRecord {
        InteractionRecord(
            position: .init(boot: 0, sequence: UInt64(clamping: stay.end)), gateway: "",
            origin: phones, number: 0,
            place: PlaceName(key: stay.beacon, site: "", building: "", floor: "", gateway: ""), subject: stay.phone,
            start: stay.start, end: stay.end, state: .departed, samples: stay.samples, distance: stay.distance)
    }
}
