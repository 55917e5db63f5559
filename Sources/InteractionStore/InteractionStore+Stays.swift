package import Evidence
package import Matching

extension InteractionStore {
    /// Returns the numbers of places by the names that people give them; unknown names have none.
    ///
    /// - Parameters:
    ///   - names: in lower case: `uuid/major/minor` of a fixed beacon, or the receiver's path
    ///     `site/building/floor/gateway`, followed by the remote receiver if it is one.
    ///   - room: if given, also the places whose records name this room, on the floor that `RoomClaims` determines.
    /// - Throws: `StoreError`.
    package func placeNumbers(named names: [String], room: String? = nil) throws -> Set<Int64> {
        try database.read { session in
            var numbers: Set<Int64> = []
            for name in names {
                // The place of a receiver with a fixed beacon has the beacon's name.
                try session.query(
                    "SELECT id FROM place WHERE name = $1 OR gateway = $1", [.text(name)]
                ) { numbers.insert($0.integer(0)) }
            }
            if let room {
                numbers.formUnion(try session.claims(ofRoom: room).places)
            }
            return numbers
        }
    }

    /// Returns the places that records have named recently, by number.
    ///
    /// - Parameter time: seconds since 1970; accurate to a few days.
    /// - Throws: `StoreError`.
    package func places(seenSince time: Int64) throws -> [Int64: PlaceName] {
        try database.read { session in
            var places: [Int64: PlaceName] = [:]
            try session.query(
                "SELECT name, site, building, floor, gateway, room, beacon, id FROM place "
                    + "WHERE site <> '' AND seen >= $1",
                [.integer(time / Self.day - NameNumbers.renewal)]
            ) { places[$0.integer(7)] = $0.place }
            return places
        }
    }

    /// Returns all stays near some places in a period, each complete, by start.
    ///
    /// - Parameters:
    ///   - places: by their numbers.
    ///   - start: seconds since 1970.
    ///   - end: not before `start`; a stay that ends at `start` or begins at `end` is included.
    ///   - subjects: only stays of these subjects, by their numbers; `nil`: all.
    ///   - reportedByPhones: whether to include the stays that phones report themselves, which anybody can invent.
    ///   - isUnsynchronized: whether to return only stays whose times may be wrong because the gateway reported that
    ///     its clock was not synchronized.
    /// - Throws: `StoreError`.
    package func stays(
        at places: Set<Int64>, from start: Int64, to end: Int64, of subjects: Set<Int64>? = nil,
        reportedByPhones: Bool = false, isUnsynchronized: Bool = false
    ) throws -> [Stay] {
        if places.isEmpty || subjects?.isEmpty == true || start > end { return [] }
        return try database.read { session in
            // The length of interactions is bounded, so the key by place and start finds them.
            let longest = try session.longest()
            let phones = try session.first("SELECT id FROM origin WHERE path = $1", [.text(Self.phones)]) {
                $0.integer(0)
            }
            let excluded = reportedByPhones ? -1 : phones ?? -1
            var found: [Stay] = []
            for place in places.sorted() {
                try session.query(
                    """
                    SELECT subject, place, started, ended, distance, lower_bound, upper_bound FROM interaction \
                    WHERE place = $1 AND started BETWEEN $2 AND $3 AND ended >= $4 \
                    AND origin <> $5\(isUnsynchronized ? " AND clock = 0" : "")
                    """,
                    [
                        .integer(place), .integer(start.saturating(minus: longest)), .integer(end), .integer(start),
                        .integer(excluded),
                    ]
                ) { row in
                    if subjects?.contains(row.integer(0)) ?? true, let stay = row.stay(0) { found.append(stay) }
                }
            }
            return found.sorted { ($0.start, $0.end, $0.subject, $0.place) < ($1.start, $1.end, $1.subject, $1.place) }
        }
    }
}

extension Int64 {
    fileprivate func saturating(minus other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .min : difference
    }
}
