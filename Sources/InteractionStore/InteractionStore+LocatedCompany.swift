import Evidence
import Localisation
import Matching

extension InteractionStore {
    /// Returns who was near the subjects of one person, by rooms and positions on surveyed floors.
    ///
    /// - Parameters:
    ///   - positives: subjects with the period that matters for each.
    ///   - own: all subjects of the person, and those that are no persons.
    ///   - radius: distance within which two subjects are near, in metres.
    /// - Throws: `StoreError`.
    func locatedCompany(
        of positives: [SubjectPeriod], without own: Set<Int64>, radius: Double
    ) throws -> LocatedCompany {
        try database.read { session in
            var company = LocatedCompany()
            for positive in positives {
                for var stay in try session.locatedStays(of: positive.subject, from: positive.since, to: positive.until)
                where stay.isSurveyed {
                    stay.start = max(stay.start, positive.since)
                    stay.end = min(stay.end, positive.until)
                    // One stay after the other: those of all others in weeks would fill the memory.
                    let others = try session.locatedStays(on: stay.floor, from: stay.start, to: stay.end)
                    company.formUnion(
                        LocatedCompany(
                            own: [stay],
                            others: others.filter { !own.contains($0.subject) }.map { ($0.subject, $0.stay) },
                            radius: radius))
                }
            }
            return company
        }
    }
}
