extension InteractionStore {
    /// Replaces the table of neighbouring places; unknown places are added.
    ///
    /// - Parameter neighbours: pairs of places, by beacon or receiver, with their separation in centimetres.
    /// - Throws: `StoreError`.
    package func setNeighbours(_ neighbours: [(one: String, other: String, centimetres: Int64)]) throws {
        try database.write { session in
            // Another process may be storing, or doing the same. The fixed order is an additional guard against
            // deadlocks.
            try session.lockExclusively()
            try session.execute("DELETE FROM neighbour")
            var numbers: [String: Int64] = [:]
            for name in Set(neighbours.flatMap { [$0.one, $0.other] }).sorted() {
                numbers[name] = try number(ofPlace: name, session)
            }
            for (one, other, centimetres) in neighbours {
                for (place, next) in [(numbers[one], numbers[other]), (numbers[other], numbers[one])] {
                    try session.execute(
                        "INSERT INTO neighbour (place, other, separation) VALUES ($1, $2, $3) "
                            + "ON CONFLICT (place, other) DO UPDATE SET separation = excluded.separation",
                        [.integer(place), .integer(next), .integer(centimetres)])
                }
            }
        }
    }

    private func number(ofPlace name: String, _ session: any SQLSession) throws -> Int64? {
        try session.first(
            "INSERT INTO place (name, site, building, floor, gateway, seen) VALUES ($1, '', '', '', '', 0) "
                + "ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id", [.text(name)]
        ) { $0.integer(0) }
    }
}

extension SQLSession {
    /// Returns the neighbours of each place with their separation in centimetres.
    func neighbours() throws -> [Int64: [(other: Int64, separation: Int64)]] {
        var neighbours: [Int64: [(other: Int64, separation: Int64)]] = [:]
        try query("SELECT place, other, separation FROM neighbour ORDER BY place, other") { row in
            guard (0...100_000).contains(row.integer(2)) else { return }
            neighbours[row.integer(0), default: []].append((row.integer(1), row.integer(2)))
        }
        return neighbours
    }
}
