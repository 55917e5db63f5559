package import Evidence

/// Rooms that records name. A name denotes a room on its floor; if a query gives no floor, `RoomClaims` decides which
/// floor has the name.
extension InteractionStore {
    /// Returns the receivers that claim to be in the given rooms, by room.
    ///
    /// - Throws: `StoreError`.
    package func roomClaims(_ rooms: [String]) throws -> [RoomClaims] {
        try database.read { session in try rooms.map { try session.claims(ofRoom: $0) } }
    }

    /// Returns the places whose records name a room, by number.
    ///
    /// - Throws: `StoreError`.
    package func placesWithRooms() throws -> [Int64: PlaceName] {
        try database.read { session in
            var places: [Int64: PlaceName] = [:]
            try session.query(
                "SELECT name, site, building, floor, gateway, room, beacon, id FROM place "
                    + "WHERE room IS NOT NULL AND site <> '' ORDER BY room, id LIMIT \(Self.mostPlacesWithRooms)"
            ) { places[$0.integer(7)] = $0.place }
            return places
        }
    }

    private static let mostPlacesWithRooms = 100_000
}

extension SQLSession {
    func claims(ofRoom room: String) throws -> RoomClaims {
        var namings: [RoomClaims.Naming] = []
        try query(
            "SELECT id, site, building, floor, gateway, CASE WHEN EXISTS (SELECT 1 FROM revoked_gateway r "
                + "WHERE r.path = place.gateway OR substr(place.gateway, 1, length(r.path) + 1) = r.path || '/') "
                + "THEN 1 ELSE 0 END FROM place WHERE room = $1 AND site <> '' ORDER BY named, id",
            [.text(room)]
        ) { row in
            let floor = (1...3).map { row.text(Int32($0)) ?? "" }.joined(separator: "/")
            namings.append(
                RoomClaims.Naming(
                    place: row.integer(0), floor: floor, receiver: row.text(4) ?? "", isRevoked: row.integer(5) == 1))
        }
        return RoomClaims(room: room, namings)
    }
}
