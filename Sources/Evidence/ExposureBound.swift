package import Matching

/// A bound on the exposures that one gateway's statements can add to a report, so that an invented stay hides no real
/// one. Pure.
package struct ExposureBound {
    package let sources: EncounterSources
    /// Numbers of the subjects that the report exposed before.
    package let exposedBefore: Set<Int64>

    package init(sources: EncounterSources, exposedBefore: Set<Int64>) {
        self.sources = sources
        self.exposedBefore = exposedBefore
    }

    /// Maximum number of subjects that the distances of one gateway, or of two together, expose to one report. Fewer
    /// are near a beacon in two weeks.
    package static let mostByOne = 2000

    /// Maximum number of encounters of one subject with the positive person from one source. Two subjects that are
    /// heard once a minute have 50,000 in two weeks, because each meets everything within the other's window.
    static let mostWithOne = 100_000

    /// Assesses encounters, and leaves out subjects that a gateway invents.
    ///
    /// If too many subjects are exposed only by the same two gateways, or by the same one, those that were exposed
    /// before are kept first, then those that have been known for longest. Subjects that are exposed by other sources
    /// stay: an invented stay hides no real one.
    ///
    /// - Parameter assess: assesses the encounters of one subject.
    package func exposures(
        _ encounters: [Encounter], by assess: ([Encounter]) -> [Exposure]
    ) -> (exposures: [Exposure], flooding: Set<EncounterSource>) {
        var excessive: Set<Encounter.SourcePair> = []
        var known = Dictionary(grouping: encounters, by: \.other.subject)
        for (subject, told) in known where told.count > Self.mostWithOne {
            let most = Dictionary(grouping: told, by: \.sources).filter { $0.value.count > Self.mostWithOne }
            excessive.formUnion(most.keys)
            known[subject] = told.filter { most[$0.sources] == nil }
        }
        // One subject at a time: the encounters of many take up much memory.
        var exposures = known.mapValues(assess).filter { !$0.value.isEmpty }
        var exposed: [Encounter.SourcePair: Set<Int64>] = [:]
        for subject in exposures.keys {
            for pair in Set((known[subject] ?? []).lazy.map(\.sources)) {
                exposed[pair, default: []].insert(subject)
            }
        }
        // A lying gateway adds nothing to what two others report.
        let flooding = exposed.filter { $0.value.count > Self.mostByOne }
        let concerned = flooding.values.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        let needing = concerned.filter { subject in
            assess((known[subject] ?? []).filter { flooding[$0.sources] == nil }).isEmpty
        }
        var kept: Set<Int64> = []
        for (pair, subjects) in flooding {
            let few = subjects.intersection(needing)
            if few.count > Self.mostByOne { excessive.insert(pair) }
            kept.formUnion(
                few.map { (exposedBefore.contains($0) ? 0 : 1, $0) }.sorted { $0 < $1 }.prefix(Self.mostByOne).map(\.1))
        }
        for subject in needing where !kept.contains(subject) { exposures[subject] = nil }
        return (exposures.values.flatMap(\.self), Set(excessive.map(sources.source)))
    }
}
