/// Which positive reports are of one person: an app and a health officer may report the same illness, by the same phone or
/// badge. What somebody was exposed to counts once then. Pure.
package struct ReportedPersons: Equatable, Sendable {
    /// A report of each person, by another one; of the reports that have nothing in common with others there is none.
    private var parents: [Int64: Int64] = [:]

    /// - Parameter pairs: reports that have a name in common.
    package init(pairs: [(Int64, Int64)]) {
        for (one, other) in pairs {
            let (first, second) = (person(of: one), person(of: other))
            if first != second { parents[max(first, second)] = min(first, second) }
        }
    }

    /// The number of a report that stands for the person.
    func person(of report: Int64) -> Int64 {
        var report = report
        while let parent = parents[report] { report = parent }
        return report
    }

    /// Of one subject's exposures to one person that overlap the one that counts most, in their order.
    package func distinct<Contribution: RiskContribution>(
        _ exposures: [(report: Int64, exposure: Contribution)]
    ) -> [Contribution] {
        if parents.isEmpty { return exposures.map(\.exposure) }
        var kept: [Int64: [Int]] = [:]
        let order = exposures.indices.sorted {
            (-exposures[$0].exposure.minutes, exposures[$0].report, $0)
                < (-exposures[$1].exposure.minutes, exposures[$1].report, $1)
        }
        for index in order {
            let (report, exposure) = exposures[index]
            let person = person(of: report)
            let isKnown = (kept[person] ?? []).contains { index in
                let other = exposures[index]
                // Of one report no moment counts twice, and a day's end is the next one's beginning.
                return other.report != report && Self.overlap(other.exposure, exposure)
            }
            if !isKnown { kept[person, default: []].append(index) }
        }
        return kept.values.joined().sorted().map { exposures[$0].exposure }
    }

    /// Also when one of them has no length, because the two came after each other or a phone ranged once.
    private static func overlap(_ one: some RiskContribution, _ other: some RiskContribution) -> Bool {
        let (start, end) = (max(one.start, other.start), min(one.end, other.end))
        return start < end || start == end && (one.start == one.end || other.start == other.end)
    }
}
