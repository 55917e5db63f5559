/// A row of company has a bound, so that a block can't fill a disk.
extension BlockComparison {
    /// Others with whom a subject is together on one floor in a block; pairs with the most minutes count, and of those with as
    /// many the ones that were known first.
    ///
    /// It is by floor, so that what is left of one floor doesn't depend on what is known of others.
    static let mostOthers = 200

    /// The floors on which a subject may look like too many others.
    ///
    /// - Parameter directions: by minute, then by subject.
    static func fullFloors(_ directions: [[AmplitudeVector?]]) -> Set<Int64> {
        var subjects: [Int64: Set<Int>] = [:]
        for minute in directions {
            for (subject, direction) in minute.enumerated() {
                if let direction { subjects[direction.floor, default: []].insert(subject) }
            }
        }
        return Set(subjects.filter { $0.value.count > mostOthers + 1 }.keys)
    }

    /// Leaves pairs out, from both rows, where a subject has too many on a floor. In their minutes neither was compared with all
    /// others.
    ///
    /// - Parameter subjects: whose rows they are.
    /// - Returns: of each the minutes in which somebody was left out, as bits.
    static func limit(_ rows: inout [BlockCompany], of subjects: [Int64]) -> [UInt16] {
        guard rows.contains(where: { $0.others.count > mostOthers }) else {
            return Array(repeating: 0, count: rows.count)
        }
        let kept = keptPairs(rows, subjects)
        return rows.indices.map { rows[$0].keep(Set(kept[$0])) }
    }

    /// The numbers of those who stay in each row.
    private static func keptPairs(_ rows: [BlockCompany], _ subjects: [Int64]) -> [[Int64]] {
        let positions = Dictionary(uniqueKeysWithValues: subjects.enumerated().map { ($1, $0) })
        var counts: Set<Int> = []
        for row in rows { for other in row.others { counts.insert(other.levels.minutes.nonzeroBitCount) } }
        var kept: [[Int64]] = Array(repeating: [], count: rows.count)
        for count in counts.sorted(by: >) {
            for (index, row) in rows.enumerated() {
                for other in row.others where other.subject > subjects[index] {
                    if kept[index].count >= mostOthers { break }
                    guard other.levels.minutes.nonzeroBitCount == count, let position = positions[other.subject],
                        kept[position].count < mostOthers
                    else { continue }
                    kept[index].append(other.subject)
                    kept[position].append(subjects[index])
                }
            }
        }
        return kept
    }
}
