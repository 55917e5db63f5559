public import Matching

/// Everything that follows from one positive report, out of a store.
public struct ExposureSearch: Sendable {
    /// Names of the positive, and since when and until when each was theirs.
    public var subjects: [PositiveReport.Subject]
    public var positive: PositiveCase
    public var policy: Policy
    /// What the positive carries besides: nobody is exposed to themselves.
    public var devices: Set<SubjectIdentity>

    /// Whether exposures by minutes together get what they rest on: the receivers that heard both, and what these heard.
    /// Without it they have only what was missing, which is much faster.
    public var isExplained: Bool

    public init(
        subjects: [PositiveReport.Subject], positive: PositiveCase, policy: Policy,
        devices: Set<SubjectIdentity> = [], isExplained: Bool = false
    ) {
        self.subjects = subjects
        self.positive = positive
        self.policy = policy
        self.devices = devices
        self.isExplained = isExplained
    }

    /// What a search finds.
    public struct Findings: Sendable {
        /// By subject, then by time.
        public var exposures: [Exposure]
        /// Minutes in which some receiver heard the positive, and those of them in which they couldn't be compared with
        /// everybody; 0 for a policy that doesn't ask for minutes together.
        public var heardMinutes: Int
        public var uncomparedMinutes: Int
        /// Gateways that tell of more encounters than anybody has, so that what they say of distances was left out; or
        /// `InteractionStore.Encounters.phones`.
        public var leftOut: Set<String>
    }

    /// Finds exposures by minutes together where two or more receivers of a floor heard the positive, and by distances from
    /// beacons elsewhere.
    ///
    /// - Throws: `StoreError`.
    public func run(_ store: InteractionStore) throws -> Findings {
        let numbers = try store.numbers(of: subjects.map(\.identity))
        let fixed = try store.fixedSubjects(since: subjects.map(\.since).min() ?? 0)
        let positives = subjects.compactMap { subject in
            numbers[subject.identity].map {
                InteractionStore.Positive(subject: $0, since: subject.since, until: subject.until)
            }
        }.filter { !fixed.contains($0.subject) }
        let ordered = positives.sorted { ($0.subject, $0.since) < ($1.subject, $1.since) }
        let all = try store.allEncounters(of: ordered, rule: policy.contact)
        var encounters = all.found
        let own = Set(numbers.values).union(try store.numbers(of: Array(devices)).values)
        var together: [Exposure] = []
        var (heard, uncompared) = (0, 0)
        if let rule = policy.together,
            let assessment = TogetherAssessment(policy: policy, positive: self.positive)
        {
            let search = TogetherSearch(own: own, fixed: fixed, near: rule.near, isExplained: isExplained)
            let company = try store.company(of: ordered, fixed: fixed)
            (heard, uncompared) = (company.heardMinutes, company.uncomparedMinutes)
            together = try search.exposures(company, by: assessment, in: store)
            encounters = encounters.flatMap(try store.cut(of: encounters, by: company).parts)
        }
        let exposures = Assessment(policy: policy, positive: self.positive, own: own, fixed: fixed).exposures(
            encounters)
        let (kept, flooding) = try bounded(exposures, in: store)
        let doubtful = try doubtingClocks(kept, Set(positives.map(\.subject)), in: store)
        let sorted = (together + doubtful).sorted {
            ($0.subject, $0.start, $0.way.rawValue) < ($1.subject, $1.start, $1.way.rawValue)
        }
        return Findings(
            exposures: sorted, heardMinutes: heard, uncomparedMinutes: uncompared,
            leftOut: all.leftOut.union(flooding))
    }

    /// The most subjects that one gateway's distances expose to one report. Fewer people than that are near a beacon in two weeks.
    public static let mostExposedByOne = 2000

    /// Leaves out whom a gateway invents: of too many those are kept that have been known for longest.
    private func bounded(
        _ exposures: [Exposure], in store: InteractionStore
    ) throws -> (kept: [Exposure], flooding: Set<String>) {
        guard exposures.count > Self.mostExposedByOne else { return (exposures, []) }
        let gateways = try store.places(Set(exposures.map(\.place))).mapValues { PlaceClaimRule.gateway($0.gateway) }
        var kept: [Exposure] = []
        var flooding: Set<String> = []
        for (gateway, told) in Dictionary(grouping: exposures, by: { gateways[$0.place] ?? "" }) {
            let subjects = Set(told.map(\.subject))
            if subjects.count > Self.mostExposedByOne, !gateway.isEmpty {
                let first = Set(subjects.sorted().prefix(Self.mostExposedByOne))
                kept += told.filter { first.contains($0.subject) }
                flooding.insert(gateway)
            } else {
                kept += told
            }
        }
        return (kept, flooding)
    }

    private func doubtingClocks(
        _ exposures: [Exposure], _ own: Set<Int64>, in store: InteractionStore
    ) throws -> [Exposure] {
        guard let first = exposures.map(\.start).min(), let last = exposures.map(\.end).max() else { return [] }
        let window = policy.contact.window
        let spans =
            exposures.map {
                InteractionStore.Positive(subject: $0.subject, since: $0.start - window, until: $0.end + window)
            } + own.sorted().map { .init(subject: $0, since: first - window, until: last + window) }
        let stays = Dictionary(grouping: try store.unsynchronizedStays(of: spans), by: \.subject)
        return exposures.map { $0.doubtingClocks(stays, own: own, window: window) }
    }
}
