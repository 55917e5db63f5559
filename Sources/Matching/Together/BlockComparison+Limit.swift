/// Limit on the length of a row of company, so that a block cannot fill a disk.
extension BlockComparison {
    /// Maximum number of other subjects together with a subject on one floor in a block. Pairs with the most minutes
    /// are kept; among equals, the subjects that were known first.
    ///
    /// The limit applies to each floor, so that the result on one floor does not depend on the data of others.
    static let mostOthers = 200

    /// Returns the floors on which a subject may be similar to too many others.
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

    /// Removes pairs from both rows where a subject has too many on a floor. In the minutes of such a pair neither
    /// subject was compared with all others.
    ///
    /// - Parameter subjects: the subjects of the rows.
    /// - Returns: for each row the minutes in which a subject was removed, as bits.
    static func limit(_ rows: inout [BlockCompany], of subjects: [Int64]) -> [UInt16] {
        guard rows.contains(where: { $0.others.count > mostOthers }) else {
            return Array(repeating: 0, count: rows.count)
        }
        let kept = keptPairs(rows, subjects)
        return rows.indices.map { rows[$0].keep(Set(kept[$0])) }
    }

    /// Returns the subject numbers that stay in each row.
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
