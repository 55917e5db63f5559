package import Matching

/// Beacons that hang somewhere and are not carried.
extension InteractionStore {
    /// Returns the subjects that hang somewhere and are not carried: the beacons of places, and the beacons that the
    /// configuration names.
    ///
    /// - Parameter since: a place's beacon counts if the place was seen since then, in seconds since 1970. A beacon
    ///   that was taken down, or named as a place's by mistake, counts as carried again.
    /// - Throws: `StoreError`.
    package func fixedSubjects(since: Int64 = 0) throws -> Set<Int64> {
        try database.read { session in
            var numbers: Set<Int64> = []
            try session.query(
                "SELECT s.id FROM place p JOIN subject s ON s.name = p.beacon WHERE s.kind = $1 AND p.seen >= $2 "
                    + "AND \(Self.isTrusted("p"))",
                [.text(SubjectIdentity.badge), .integer(since / Self.day - NameNumbers.renewal)]
            ) { numbers.insert($0.integer(0)) }
            try session.find(
                "id, kind", in: "subject", where: "name", is: configuredBeacons.sorted(), isLocking: false
            ) { if $0.text(1) == SubjectIdentity.badge { numbers.insert($0.integer(0)) } }
            return numbers
        }
    }

    /// Returns the SQL condition that a place is not known from a revoked gateway alone.
    static func isTrusted(_ place: String) -> String {
        "NOT EXISTS (SELECT 1 FROM revoked_gateway r WHERE r.path = \(place).gateway "
            + "OR substr(\(place).gateway, 1, length(r.path) + 1) = r.path || '/')"
    }

    /// Returns the names of all beacons that hang somewhere, whether or not any gateway has heard them.
    ///
    /// - Parameter since: as in `fixedSubjects(since:)`.
    /// - Throws: `StoreError`.
    package func fixedBeacons(since: Int64) throws -> Set<SubjectIdentity> {
        try database.read { session in
            var names = configuredBeacons
            try session.query(
                "SELECT p.beacon FROM place p WHERE p.name = p.beacon AND p.seen >= $1 AND \(Self.isTrusted("p"))",
                [.integer(since / Self.day - NameNumbers.renewal)]
            ) { if let name = $0.text(0) { names.insert(name) } }
            return Set(names.compactMap { SubjectIdentity(kind: SubjectIdentity.badge, id: $0) })
        }
    }

    /// Returns the given subjects that are fixed beacons, whether or not any gateway has heard them.
    ///
    /// - Parameter since: as in `fixedSubjects(since:)`.
    /// - Throws: `StoreError`.
    package func fixedBeacons(among subjects: [SubjectIdentity], since: Int64 = 0) throws -> Set<SubjectIdentity> {
        let badges = Set(subjects.filter { $0.kind == SubjectIdentity.badge })
        return try database.read { session in
            var fixed = badges.filter { configuredBeacons.contains($0.id) }
            for badge in badges.subtracting(fixed).sorted() {
                let isFixed = try session.first(
                    "SELECT 1 FROM place p WHERE p.name = $1 AND p.beacon = $1 AND p.seen >= $2 "
                        + "AND \(Self.isTrusted("p"))",
                    [.text(badge.id), .integer(since / Self.day - NameNumbers.renewal)]
                ) { _ in true }
                if isFixed == true { fixed.insert(badge) }
            }
            return fixed
        }
    }
}
