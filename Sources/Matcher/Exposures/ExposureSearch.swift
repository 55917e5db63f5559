import InteractionStore
import Matching

/// Everything that follows from one positive report, out of a store.
struct ExposureSearch: Sendable {
    var subjects: [SubjectIdentity]
    var positive: PositiveCase
    /// Seconds since 1970.
    var since: Int64
    var until: Int64
    var policy: Policy

    /// - Throws: `StoreError`.
    func run(_ store: InteractionStore) throws -> [Exposure] {
        let numbers = Set(try store.numbers(of: subjects).values)
        let encounters = try store.encounters(
            of: numbers.sorted().map { .init(subject: $0, since: since, until: until) }, rule: policy.contact)
        return Assessment(
            policy: policy, positive: positive, own: numbers, fixed: try store.fixedSubjects(since: since)
        )
        .exposures(encounters)
    }

    /// Whom these alone put at a risk.
    func told(_ exposures: [Exposure]) -> [Exposure] {
        let risky = Dictionary(grouping: exposures, by: \.subject).mapValues(policy.risk.told)
        return risky.keys.sorted().flatMap { risky[$0] ?? [] }
    }
}
