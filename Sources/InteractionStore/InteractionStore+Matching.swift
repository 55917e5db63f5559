public import Matching

extension InteractionStore {
    /// A subject who reported positive, and since when and until when that matters, in seconds since 1970.
    public struct Positive: Equatable, Sendable {
        public var subject: Int64
        public var since: Int64
        public var until: Int64

        public init(subject: Int64, since: Int64, until: Int64) {
            self.subject = subject
            self.since = since
            self.until = until
        }
    }

    /// Everyone who was near the same places, or places side by side, as far as the rule can concern them.
    ///
    /// - Throws: `StoreError`.
    public func encounters(of positives: [Positive], rule: ContactRule) throws -> [Encounter] {
        guard !positives.isEmpty else { return [] }
        return try database.read { session in
            var found: [Encounter] = []
            let longest = try session.first("SELECT longest FROM extent") { $0.integer(0) } ?? 0
            let limits = EncounterQuery.Limits(rule: rule, longest: longest)
            let hasNeighbours = try session.first("SELECT 1 FROM neighbour LIMIT 1") { _ in true } ?? false
            for isNeighbour in hasNeighbours ? [false, true] : [false] {
                let sql = EncounterQuery.text(positives, limits, neighbours: isNeighbour)
                try session.query(sql, [], keepsStatement: false) { row in
                    let encounter = Encounter(
                        positive: row.stay(0), other: row.stay(7), separation: row.integer(14), window: rule.window)
                    if let encounter { found.append(encounter) }
                }
            }
            return found
        }
    }

    /// How much there is.
    public struct Counts: Equatable, Sendable {
        public var interactions: Int
        /// Interactions that are over.
        public var ended: Int
        public var subjects: Int
    }

    /// - Throws: `StoreError`.
    public func counts() throws -> Counts {
        try database.read { session in
            let interactions = try session.first(
                "SELECT count(*), COALESCE(sum(CASE WHEN state > 0 THEN 1 ELSE 0 END), 0) FROM interaction"
            ) { (Int($0.integer(0)), Int($0.integer(1))) }
            let subjects = try session.first("SELECT count(*) FROM subject") { Int($0.integer(0)) }
            return Counts(interactions: interactions?.0 ?? 0, ended: interactions?.1 ?? 0, subjects: subjects ?? 0)
        }
    }

    /// The numbers of subjects; those that were never seen have none.
    ///
    /// - Throws: `StoreError`.
    public func numbers(of subjects: [SubjectIdentity]) throws -> [SubjectIdentity: Int64] {
        try database.read { session in
            var numbers: [SubjectIdentity: Int64] = [:]
            for subject in subjects {
                numbers[subject] = try session.first(
                    "SELECT id FROM subject WHERE name = $1 AND kind = $2", [.text(subject.id), .text(subject.kind)]
                ) { $0.integer(0) }
            }
            return numbers
        }
    }

    /// Subjects that hang somewhere and aren't carried.
    ///
    /// - Throws: `StoreError`.
    public func fixedSubjects() throws -> Set<Int64> {
        try database.read { session in
            var numbers: Set<Int64> = []
            try session.query("SELECT id FROM subject WHERE is_fixed = 1") { numbers.insert($0.integer(0)) }
            return numbers
        }
    }

    /// - Throws: `StoreError`.
    public func subjects(_ numbers: Set<Int64>) throws -> [Int64: SubjectIdentity] {
        try database.read { session in
            var subjects: [Int64: SubjectIdentity] = [:]
            for number in numbers {
                try session.query("SELECT kind, name FROM subject WHERE id = $1", [.integer(number)]) { row in
                    subjects[number] = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "")
                }
            }
            return subjects
        }
    }

    /// - Throws: `StoreError`.
    public func places(_ numbers: Set<Int64>) throws -> [Int64: PlaceName] {
        try database.read { session in
            var places: [Int64: PlaceName] = [:]
            for number in numbers {
                try session.query(
                    "SELECT name, site, building, floor, gateway, room, beacon FROM place WHERE id = $1",
                    [.integer(number)]
                ) { row in
                    places[number] = PlaceName(
                        key: row.text(0) ?? "", site: row.text(1) ?? "", building: row.text(2) ?? "",
                        floor: row.text(3) ?? "", gateway: row.text(4) ?? "", room: row.text(5), beacon: row.text(6))
                }
            }
            return places
        }
    }
}

extension SQLRow {
    /// Subject, place, start, end, distance and its bounds, from a column on.
    fileprivate func stay(_ column: Int32) -> Stay {
        var distance: Stay.Distance?
        if let centimetres = optionalInteger(column + 4) {
            distance = .init(centimetres: centimetres, lower: integer(column + 5), upper: integer(column + 6))
        }
        return Stay(
            subject: integer(column), place: integer(column + 1), start: integer(column + 2), end: integer(column + 3),
            distance: distance)
    }
}

extension InteractionStore {
    /// Replaces what is known of places side by side; places that were never heard of become known.
    ///
    /// - Parameter neighbours: two places each, by beacon or receiver, and how far they are apart in centimetres.
    /// - Throws: `StoreError`.
    public func setNeighbours(_ neighbours: [(one: String, other: String, centimetres: Int64)]) throws {
        try database.write { session in
            try session.lockShared()
            try session.execute("DELETE FROM neighbour")
            for (one, other, centimetres) in neighbours {
                let numbers = try [one, other].map { try number(ofPlace: $0, session) }
                for (place, next) in [(numbers[0], numbers[1]), (numbers[1], numbers[0])] {
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
            "INSERT INTO place (name, site, building, floor, gateway) VALUES ($1, '', '', '', '') "
                + "ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id", [.text(name)]
        ) { $0.integer(0) }
    }
}
