import Matching

/// The bound of what one gateway's word exposes to a report, so that an invented stay hides no real one. Pure.
public struct ExposureBound {
    let tellers: EncounterTellers
    /// The numbers of the subjects that the report exposed before.
    let exposedBefore: Set<Int64>

    /// The most subjects whom one gateway's distances expose to one report. Fewer are near a beacon in two weeks.
    public static let mostByOne = 2000

    /// The most encounters of one subject with the positive by one word. Two who are heard at intervals of a minute have 50,000
    /// in a fortnight, because each meets what the other's window reaches.
    static let mostWithOne = 100_000

    /// Assesses encounters, and leaves out whom a gateway invents.
    ///
    /// Of too many who are exposed by nothing without its word those are kept whom its own word
    /// alone exposes, which another gateway can't make more; then those that were exposed before, then those that have been
    /// known for longest. Whom others' words expose stay: an invented stay hides no real one.
    ///
    /// - Parameter assess: of one subject's encounters.
    func exposures(
        _ encounters: [Encounter], by assess: ([Encounter]) -> [Exposure]
    ) -> (exposures: [Exposure], flooding: Set<EncounterSource>) {
        var flooding: Set<EncounterSource> = []
        var known = Dictionary(grouping: encounters, by: \.other.subject)
        for (subject, told) in known where told.count > Self.mostWithOne {
            let most = Dictionary(grouping: told, by: \.tellers).filter { $0.value.count > Self.mostWithOne }
            flooding.formUnion(most.keys.map(tellers.source))
            known[subject] = told.filter { most[$0.tellers] == nil }
        }
        // One after the other: what comes of many is much.
        var exposures = known.mapValues(assess)
        var exposed: [Int64: Set<Int64>] = [:]
        for (subject, found) in exposures where !found.isEmpty {
            for gateway in Set((known[subject] ?? []).flatMap { [$0.tellers.positive, $0.tellers.other] }) {
                exposed[gateway, default: []].insert(subject)
            }
        }
        for (gateway, subjects) in exposed where subjects.count > Self.mostByOne {
            func encounters(_ subject: Int64, where isWanted: (Encounter.Tellers) -> Bool) -> [Encounter] {
                (known[subject] ?? []).filter { isWanted($0.tellers) }
            }
            let needing = subjects.filter { subject in
                assess(encounters(subject) { $0.positive != gateway && $0.other != gateway }).isEmpty
            }
            guard needing.count > Self.mostByOne else { continue }
            let own = Encounter.Tellers(positive: gateway, other: gateway)
            flooding.insert(tellers.source(own))
            let ranked = needing.map { subject -> (Int, Int, Int64) in
                let isOwn = !assess(encounters(subject) { $0 == own }).isEmpty
                return (isOwn ? 0 : 1, exposedBefore.contains(subject) ? 0 : 1, subject)
            }.sorted { $0 < $1 }
            for (_, _, subject) in ranked.dropFirst(Self.mostByOne) { exposures[subject] = nil }
        }
        return (exposures.values.flatMap(\.self), flooding)
    }
}
