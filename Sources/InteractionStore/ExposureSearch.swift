package import Evidence
package import Matching

/// A search for everything that follows from one positive report.
package struct ExposureSearch: Sendable {
    /// Names of the positive person, with the period in which each was theirs.
    package var subjects: [PositiveReport.Subject]
    package var positive: PositiveCase
    package var policy: Policy
    /// Other devices of the positive person, who is not exposed to themselves.
    package var devices: Set<SubjectIdentity>
    /// Numbers of the subjects that the report exposed before. If there are too many subjects, these come first.
    package var exposedBefore: Set<Int64>

    /// Whether exposures by minutes together include their evidence: the receivers that heard both, and what these
    /// heard. Otherwise they include only what was missing, which is much faster.
    package var isExplained: Bool

    package init(
        subjects: [PositiveReport.Subject], positive: PositiveCase, policy: Policy,
        devices: Set<SubjectIdentity> = [], exposedBefore: Set<Int64> = [], isExplained: Bool = false
    ) {
        self.subjects = subjects
        self.positive = positive
        self.policy = policy
        self.devices = devices
        self.exposedBefore = exposedBefore
        self.isExplained = isExplained
    }

    /// The results of a search.
    package struct Findings: Sendable {
        /// Exposures by subject, then by time.
        package var exposures: [Exposure]
        /// Minutes in which any receiver heard the positive person, followed by those of them in which they could not
        /// be compared with everybody; 0 for a policy that does not use minutes together.
        package var heardMinutes: Int
        package var uncomparedMinutes: Int
        /// Sources that report more encounters than a person can have. Their distances were left out.
        package var leftOut: Set<EncounterSource>
        /// Sources on whose distances the exposure of more than `ExposureBound.mostByOne` subjects depends.
        package var flooding: Set<EncounterSource>
        /// Days since 1970 on which the positive person was heard and whose readings have expired: no exposures by
        /// minutes together are found there.
        package var daysWithoutReadings: [Int64]
    }

    /// Finds exposures by minutes together where two or more receivers of a floor heard the positive person, and by
    /// distances from beacons elsewhere.
    ///
    /// - Throws: `StoreError`.
    package func run(_ store: InteractionStore) throws -> Findings {
        let numbers = try store.numbers(of: subjects.map(\.identity))
        let fixed = try store.fixedSubjects(since: subjects.map(\.since).min() ?? 0)
        let positives = subjects.compactMap { subject in
            numbers[subject.identity].map {
                SubjectPeriod(subject: $0, since: subject.since, until: subject.until)
            }
        }.filter { !fixed.contains($0.subject) }
        let ordered = positives.sorted { ($0.subject, $0.since) < ($1.subject, $1.since) }
        let all = try store.allEncounters(of: ordered, rule: policy.contact, areOnePerson: true)
        let encounters = all.found
        var cut: EncounterCut?
        let own = Set(numbers.values).union(try store.numbers(of: Array(devices)).values)
        var together: [Exposure] = []
        var daysWithoutReadings: [Int64] = []
        var (heard, uncompared) = (0, 0)
        if let rule = policy.together,
            let assessment = TogetherAssessment(policy: policy, positive: self.positive)
        {
            let search = TogetherSearch(own: own, fixed: fixed, near: rule.near, isExplained: isExplained)
            let company = try store.company(of: ordered, fixed: fixed)
            (heard, uncompared) = (company.heardMinutes, company.uncomparedMinutes)
            daysWithoutReadings = try store.daysWithoutReadings(of: ordered)
            let located = try store.locatedCompany(
                of: ordered, without: own.union(fixed), radius: Double(policy.contact.radius) / 100)
            together = try search.exposures(company, located, close: rule.close, by: assessment, in: store)
            cut = try store.cut(of: encounters, by: company)
        }
        // Too many encounters for one method may be no obstacle for the other.
        if all.areAllLeftOut, together.isEmpty {
            throw InteractionStore.Encounters.tooMany(EncounterSweep.mostEncounters)
        }
        let assessment = Assessment(policy: policy, positive: self.positive, own: own, fixed: fixed)
        let bound = ExposureBound(sources: all.sources, exposedBefore: exposedBefore)
        let (kept, flooding) = bound.exposures(encounters) { encounters in
            assessment.exposures(cut.map { encounters.flatMap($0.parts) } ?? encounters)
        }
        let doubtful = try doubtingClocks(kept, Set(positives.map(\.subject)), in: store)
        let sorted = (together + doubtful).sorted {
            ($0.subject, $0.start, $0.way.rawValue) < ($1.subject, $1.start, $1.way.rawValue)
        }
        return Findings(
            exposures: sorted, heardMinutes: heard, uncomparedMinutes: uncompared,
            leftOut: all.leftOut, flooding: flooding, daysWithoutReadings: daysWithoutReadings)
    }

    private func doubtingClocks(
        _ exposures: [Exposure], _ own: Set<Int64>, in store: InteractionStore
    ) throws -> [Exposure] {
        guard let first = exposures.map(\.start).min(), let last = exposures.map(\.end).max() else { return [] }
        let window = policy.contact.window
        let spans =
            exposures.map {
                SubjectPeriod(subject: $0.subject, since: $0.start - window, until: $0.end + window)
            } + own.sorted().map { .init(subject: $0, since: first - window, until: last + window) }
        let stays = Dictionary(grouping: try store.unsynchronizedStays(of: spans), by: \.subject)
        return exposures.map { $0.doubtingClocks(stays, own: own, window: window) }
    }
}
