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
            var stays: [SettledStay] = []
            var floors: [String: ClosedRange<Int64>] = [:]
            for positive in positives {
                for var stay in try session.locatedStays(of: positive.subject, from: positive.since, to: positive.until)
                where stay.isSurveyed {
                    stay.start = max(stay.start, positive.since)
                    stay.end = min(stay.end, positive.until)
                    stays.append(stay)
                    let known = floors[stay.floor] ?? stay.start...stay.start
                    floors[stay.floor] = min(known.lowerBound, stay.start)...max(known.upperBound, stay.end)
                }
            }
            var others: [(subject: Int64, stay: SettledStay)] = []
            for (floor, period) in floors.sorted(by: { $0.key < $1.key }) {
                let found = try session.locatedStays(on: floor, from: period.lowerBound, to: period.upperBound)
                others += found.lazy.filter { !own.contains($0.subject) }.map { ($0.subject, $0.stay) }
            }
            return LocatedCompany(own: stays, others: others, radius: radius)
        }
    }
}
