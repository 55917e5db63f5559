import Matching

/// The bound of what one gateway's word exposes to a report, so that an invented stay hides no real one. Pure.
package struct ExposureBound {
    let tellers: EncounterTellers
    /// The numbers of the subjects that the report exposed before.
    let exposedBefore: Set<Int64>

    /// The most subjects whom the distances of one gateway, or of two together, expose to one report. Fewer are near a beacon
    /// in two weeks.
    package static let mostByOne = 2000

    /// The most encounters of one subject with the positive by one word. Two who are heard at intervals of a minute have 50,000
    /// in a fortnight, because each meets what the other's window reaches.
    static let mostWithOne = 100_000

    /// Assesses encounters, and leaves out whom a gateway invents.
    ///
    /// Of too many whom nobody exposes without the word of the same two, or of one, those are kept who were exposed before;
    /// then those who have been known for longest. Whom others' words expose stay: an invented stay hides no real one.
    ///
    /// - Parameter assess: of one subject's encounters.
    func exposures(
        _ encounters: [Encounter], by assess: ([Encounter]) -> [Exposure]
    ) -> (exposures: [Exposure], flooding: Set<EncounterSource>) {
        var excessive: Set<Encounter.Tellers> = []
        var known = Dictionary(grouping: encounters, by: \.other.subject)
        for (subject, told) in known where told.count > Self.mostWithOne {
            let most = Dictionary(grouping: told, by: \.tellers).filter { $0.value.count > Self.mostWithOne }
            excessive.formUnion(most.keys)
            known[subject] = told.filter { most[$0.tellers] == nil }
        }
        // One after the other: what comes of many is much.
        var exposures = known.mapValues(assess).filter { !$0.value.isEmpty }
        var exposed: [Encounter.Tellers: Set<Int64>] = [:]
        for subject in exposures.keys {
            for tellers in Set((known[subject] ?? []).lazy.map(\.tellers)) {
                exposed[tellers, default: []].insert(subject)
            }
        }
        // A gateway that lies makes no more of what two others tell.
        let flooding = exposed.filter { $0.value.count > Self.mostByOne }
        let concerned = flooding.values.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        let needing = concerned.filter { subject in
            assess((known[subject] ?? []).filter { flooding[$0.tellers] == nil }).isEmpty
        }
        var kept: Set<Int64> = []
        for (tellers, subjects) in flooding {
            let few = subjects.intersection(needing)
            if few.count > Self.mostByOne { excessive.insert(tellers) }
            kept.formUnion(
                few.map { (exposedBefore.contains($0) ? 0 : 1, $0) }.sorted { $0 < $1 }.prefix(Self.mostByOne).map(\.1))
        }
        for subject in needing where !kept.contains(subject) { exposures[subject] = nil }
        return (exposures.values.flatMap(\.self), Set(excessive.map(tellers.source)))
    }
}
