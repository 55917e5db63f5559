import Evidence
import Matching

// Numbers of places. A place can have several names, and what records say of it is written down.
extension NameNumbers {
    /// Finds the places that the database has, and writes what records say of them; also writes new places that have a
    /// beacon.
    mutating func find(
        _ named: NewPlaces, _ claims: inout PlaceClaims, _ new: inout NewNames, today: Int64, _ session: any SQLSession
    ) throws {
        var claimed: [String: [PlaceName]] = [:]
        var numbers: [String: Int64] = [:]
        // Places that name no beacon belong to one receiver alone and need no comparison.
        var plain: [String: PlaceName] = [:]
        for (name, start) in named.byKey {
            let (place, isWritten) = try claims.place(name, start: start, session)
            claimed[place.key, default: []].append(name)
            if !isWritten {
                // Claims that are not accepted only show that the place still exists.
                numbers[place.key] = try session.first(
                    "UPDATE place SET seen = CASE WHEN seen < $2 THEN $2 ELSE seen END WHERE name = $1 RETURNING id",
                    [.text(place.key), .integer(today)]
                ) { $0.integer(0) }
            } else if place.beacon == nil {
                plain[place.key] = place
            } else {
                // The next receiver that names this beacon is compared with what is written here.
                try write([place], today: today, session) { numbers[$0] = $1 }
            }
        }
        var missing = plain
        try session.find("name", in: "place", where: "name", is: plain.keys.sorted(), isLocking: false) { row in
            if let key = row.text(0) { missing[key] = nil }
        }
        let old = plain.filter { missing[$0.key] == nil }.values.sorted { $0.key < $1.key }
        try write(old, today: today, session) { numbers[$0] = $1 }
        for (key, number) in numbers { know(claimed[key] ?? [], number, today: today) }
        for (key, place) in missing.sorted(by: { $0.key < $1.key }) {
            let number = -1 - Int64(new.places.count)
            let names = claimed[key] ?? []
            new.places[number] = NewNames.Place(name: place, claimed: names)
            for name in names { places[name] = number }
        }
    }

    mutating func write(_ new: [NewNames.Place], today: Int64, _ session: any SQLSession) throws {
        var numbers: [String: Int64] = [:]
        try write(new.map(\.name).sorted { $0.key < $1.key }, today: today, session) { numbers[$0] = $1 }
        for place in new {
            if let number = numbers[place.name.key] { know(place.claimed, number, today: today) }
        }
    }

    /// Maps the claimed names of a place to its number.
    private mutating func know(_ claimed: [PlaceName], _ number: Int64, today: Int64) {
        for name in claimed {
            places[name] = number
            knownPlaces.insert(Known(number: number, seen: today), for: name)
        }
    }

    private func write(
        _ new: [PlaceName], today: Int64, _ session: any SQLSession, _ body: (String, Int64) -> Void
    ) throws {
        if new.isEmpty { return }
        let named = try session.first("SELECT COALESCE(max(named), 0) + 1 FROM place") { $0.integer(0) }
        for place in new where place.beacon != nil {
            // Interactions heard on another floor stay there: the beacon was moved, or somebody else has it now.
            try session.execute(
                "UPDATE place SET name = gateway || '#' || id, beacon = NULL WHERE name = $1 AND site <> '' "
                    + "AND NOT (site = $2 AND building = $3 AND floor = $4)",
                [.text(place.key), .text(place.site), .text(place.building), .text(place.floor)])
        }
        let rows = new.map { place -> [SQLValue] in
            [
                .text(place.key), .text(place.site), .text(place.building), .text(place.floor), .text(place.gateway),
                .text(rooms[place.key] ?? place.room), .text(place.beacon), .integer(today),
                .integer(named ?? 1),
            ]
        }
        try session.insert(StoreSchema.placeInsertion, rows: rows) { row in
            if let key = row.text(1) { body(key, row.integer(0)) }
        }
    }

    /// The places that a batch names, with the start of the first record that names each.
    struct NewPlaces {
        private var inOrder: [(place: PlaceName, start: Int64)] = []
        private var known: Set<PlaceName> = []

        /// The places in the same order everywhere, so that two processes do not deadlock. Several names of one place
        /// keep their order, so the last one wins.
        var byKey: [(place: PlaceName, start: Int64)] {
            inOrder.enumerated().sorted { ($0.element.place.key, $0.offset) < ($1.element.place.key, $1.offset) }
                .map(\.element)
        }

        mutating func add(_ place: PlaceName, start: Int64) {
            if known.insert(place).inserted { inOrder.append((place, start)) }
        }
    }
}
