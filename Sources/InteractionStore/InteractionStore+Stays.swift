package import Matching

extension InteractionStore {
    /// The numbers of places by the names that people give them; what was never heard of has none.
    ///
    /// - Parameters:
    ///   - names: in lower case: `uuid/major/minor` of a fixed beacon, or the receiver's path `site/building/floor/gateway`,
    ///     with an ear after it for one that a gateway looks after.
    ///   - room: also the places whose records name this room, of the floor that `RoomClaims` says.
    /// - Throws: `StoreError`.
    package func placeNumbers(named names: [String], room: String? = nil) throws -> Set<Int64> {
        try database.read { session in
            var numbers: Set<Int64> = []
            for name in names {
                // A receiver with a fixed beacon goes by the beacon's name.
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

    /// Places of which records told lately, by number.
    ///
    /// - Parameter time: seconds since 1970; to a few days.
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

    /// Everyone who was near some places in a time, each stay whole, by start.
    ///
    /// - Parameters:
    ///   - places: by their numbers.
    ///   - start: seconds since 1970.
    ///   - end: not before `start`; a stay that ends at `start` or begins at `end` is among them.
    ///   - subjects: only of these, by their numbers; everyone's without.
    ///   - reportedByPhones: also what phones say of themselves, which anybody can invent.
    ///   - isUnsynchronized: only those whose times may be wrong: the gateway said that its clock wasn't synchronized.
    /// - Throws: `StoreError`.
    package func stays(
        at places: Set<Int64>, from start: Int64, to end: Int64, of subjects: Set<Int64>? = nil,
        reportedByPhones: Bool = false, isUnsynchronized: Bool = false
    ) throws -> [Stay] {
        if places.isEmpty || subjects?.isEmpty == true || start > end { return [] }
        return try database.read { session in
            // Since interactions have a longest, the key by place and start finds them.
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
