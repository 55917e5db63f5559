/// Positive reports grouped by person. An app and a health officer can report the same illness, by the same phone or
/// badge; an exposure to it then counts once. Pure.
package struct ReportedPersons: Equatable, Sendable {
    /// Parent report of each report, towards the one that represents the person. Reports that share nothing with others
    /// have no entry.
    private var parents: [Int64: Int64] = [:]

    /// Groups reports by person.
    ///
    /// - Parameter pairs: pairs of reports that share an identity.
    package init(pairs: [(Int64, Int64)]) {
        for (one, other) in pairs {
            let (first, second) = (person(of: one), person(of: other))
            if first != second { parents[max(first, second)] = min(first, second) }
        }
    }

    /// Returns the number of the report that represents the person.
    func person(of report: Int64) -> Int64 {
        var report = report
        while let parent = parents[report] { report = parent }
        return report
    }

    /// Returns the exposures of one subject, keeping only the one that counts most among overlapping exposures to one
    /// person. The order is kept.
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
                // Exposures of one report never count a moment twice: the end of a day is the beginning of the next.
                return other.report != report && Self.overlap(other.exposure, exposure)
            }
            if !isKnown { kept[person, default: []].append(index) }
        }
        return kept.values.joined().sorted().map { exposures[$0].exposure }
    }

    /// Whether two exposures overlap. An exposure without length counts too: the two were present one after the other,
    /// or a phone ranged once.
    private static func overlap(_ one: some RiskContribution, _ other: some RiskContribution) -> Bool {
        let (start, end) = (max(one.start, other.start), min(one.end, other.end))
        return start < end || start == end && (one.start == one.end || other.start == other.end)
    }
}
