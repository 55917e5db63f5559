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

    /// Leaves pairs out, from both rows, where a subject has too many. In their minutes neither was compared with all others.
    ///
    /// - Returns: badge minutes in which somebody was left out.
    func limit(_ companies: inout [BlockCompany]) -> Int {
        guard companies.contains(where: { $0.others.count > Self.mostOthers }) else { return 0 }
        var leftOut = 0
        for (_, minutes) in presence.sorted(by: { $0.key < $1.key }) where minutes.count > Self.mostOthers + 1 {
            let isFull = minutes.contains { index, minutes in
                let others = companies[index].others
                return others.count > Self.mostOthers
                    && others.count { $0.levels.minutes & minutes != 0 } > Self.mostOthers
            }
            guard isFull else { continue }
            let kept = keptPairs(companies, minutes)
            // Who isn't on this floor was met on another.
            let present = Set(minutes.keys.map { subjects[$0] })
            for (index, minutes) in minutes {
                let struck = companies[index].keep(Set(kept[index]), of: present, inMinutes: minutes)
                leftOut += struck.nonzeroBitCount
            }
        }
        return leftOut
    }

    /// By index: the numbers of those who stay in its row.
    ///
    /// - Parameter minutes: of each subject, those in which it is on the floor, as bits.
    private func keptPairs(_ companies: [BlockCompany], _ minutes: [Int: UInt16]) -> [[Int64]] {
        let present = minutes.sorted { $0.key < $1.key }
        let indices = Dictionary(uniqueKeysWithValues: present.map { (subjects[$0.key], $0.key) })
        var counts: Set<Int> = []
        for (index, minutes) in present {
            for other in companies[index].others { counts.insert((other.levels.minutes & minutes).nonzeroBitCount) }
        }
        var kept: [[Int64]] = Array(repeating: [], count: subjects.count)
        for count in counts.sorted(by: >) where count > 0 {
            for (index, minutes) in present {
                for other in companies[index].others where other.subject > subjects[index] {
                    if kept[index].count >= Self.mostOthers { break }
                    guard (other.levels.minutes & minutes).nonzeroBitCount == count,
                        let position = indices[other.subject], kept[position].count < Self.mostOthers
                    else { continue }
                    kept[index].append(other.subject)
                    kept[position].append(subjects[index])
                }
            }
        }
        return kept
    }
}
