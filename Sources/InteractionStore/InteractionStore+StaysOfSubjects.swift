package import Localisation

extension InteractionStore {
    /// Returns the stays of subjects that touch a period, by subject and oldest first. Subjects without any are left out.
    ///
    /// - Throws: `StoreError`.
    package func locatedStays(
        ofSubjects subjects: Set<Int64>, from start: Int64, to end: Int64
    ) throws -> [Int64: [SettledStay]] {
        if subjects.isEmpty { return [:] }
        return try database.read { session in
            var stays: [Int64: [SettledStay]] = [:]
            // The last subject of a part is in its list several times, and is found once.
            try session.inParts(subjects.sorted()) { list, arguments in
                try session.query(
                    "SELECT \(StoreSchema.locatedStayColumns.joined(separator: ", ")) FROM located_stay "
                        + "WHERE subject IN (\(list)) AND started < $\(arguments.count + 1) "
                        + "AND ended > $\(arguments.count + 2) ORDER BY subject, started",
                    arguments + [.integer(end), .integer(start)]
                ) { row in
                    if let stay = row.locatedStay { stays[row.integer(0), default: []].append(stay) }
                }
            }
            return stays
        }
    }
}
