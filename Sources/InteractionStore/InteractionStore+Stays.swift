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
    /// - Throws: `StoreError`.
    package func stays(
        at places: Set<Int64>, from start: Int64, to end: Int64, of subjects: Set<Int64>? = nil,
        reportedByPhones: Bool = false
    ) throws -> [Stay] {
        if subjects?.isEmpty == true { return [] }
        var found: [Stay] = []
        try eachStay(at: places, from: start, to: end) { stay, source in
            guard subjects?.contains(stay.subject) ?? true, reportedByPhones || !source.isPhone else { return }
            found.append(stay)
        }
        return found.inOrder
    }

    /// Stays in a room, by their evidence.
    package struct RoomStays: Equatable, Sendable {
        /// Stays of all subjects that gateways reported.
        package var heard: [Stay] = []
        /// Stays among those whose times may be wrong because the gateway reported that its clock was not
        /// synchronized.
        package var unsynchronized: [Stay] = []
        /// Stays of trusted phones, also those that the phones reported themselves.
        package var ofPhones: [Stay] = []
    }

    /// Returns the stays in a room in a period, each complete, by start.
    ///
    /// - Parameters:
    ///   - places: the places of the room, by their numbers.
    ///   - start: seconds since 1970.
    ///   - end: not before `start`; a stay that ends at `start` or begins at `end` is included.
    ///   - phones: numbers of trusted phones.
    /// - Throws: `StoreError`.
    package func roomStays(
        at places: Set<Int64>, from start: Int64, to end: Int64, trusting phones: Set<Int64>
    ) throws -> RoomStays {
        var found = RoomStays()
        try eachStay(at: places, from: start, to: end) { stay, source in
            if phones.contains(stay.subject) { found.ofPhones.append(stay) }
            if source.isPhone { return }
            found.heard.append(stay)
            if source.clockIsUnsynchronized { found.unsynchronized.append(stay) }
        }
        return RoomStays(
            heard: found.heard.inOrder, unsynchronized: found.unsynchronized.inOrder, ofPhones: found.ofPhones.inOrder)
    }

    /// Source of a stay.
    private struct Source {
        /// Whether a phone reported it itself.
        var isPhone: Bool
        var clockIsUnsynchronized: Bool
    }

    /// Reads the stays near some places in a period.
    private func eachStay(
        at places: Set<Int64>, from start: Int64, to end: Int64, _ body: (Stay, Source) -> Void
    ) throws {
        if places.isEmpty || start > end { return }
        try database.read { session in
            // The length of interactions is bounded, so the key by place and start finds them.
            let longest = try session.longest()
            let phones = try session.number(ofOrigin: Self.phones)
            for place in places.sorted() {
                try session.query(
                    """
                    SELECT subject, place, started, ended, distance, lower_bound, upper_bound, origin, clock \
                    FROM interaction WHERE place = $1 AND started BETWEEN $2 AND $3 AND ended >= $4
                    """,
                    [
                        .integer(place), .integer(start.saturating(minus: longest)), .integer(end), .integer(start),
                    ]
                ) { row in
                    guard let stay = row.stay(0) else { return }
                    body(stay, Source(isPhone: row.integer(7) == phones, clockIsUnsynchronized: row.integer(8) == 0))
                }
            }
        }
    }
}

extension [Stay] {
    /// The stays in an order that does not depend on the database.
    fileprivate var inOrder: [Stay] {
        sorted { ($0.start, $0.end, $0.subject, $0.place) < ($1.start, $1.end, $1.subject, $1.place) }
    }
}

extension Int64 {
    fileprivate func saturating(minus other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .min : difference
    }
}
