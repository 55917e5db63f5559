import Evidence
import InteractionStore
import Matching
import RecordContract
import SystemIO

/// Several matchers that share the gateways, each with a connection of its own and as many records at hand as one takes at once.
struct WritersRun {
    let location: StoreLocation
    let interactions: Int
    let writers: Int

    private static let batch = MatchingRun.batch
    /// Of each writer. The first half isn't measured: who works for long knows the numbers of most names.
    private static let batches = 400_000 / batch

    private struct Stretch {
        var stored: Int
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    /// The records are there before the time begins, which is from the first start to the last end.
    func run() async throws {
        let stretches = try await withThrowingTaskGroup(of: Stretch.self) { [location] group in
            for batches in batches() {
                group.addTask {
                    try await DedicatedThread.run(name: "writer") { Result { try Self.store(batches, location) } }.get()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        guard let start = stretches.map(\.start).min(), let end = stretches.map(\.end).max() else { return }
        let rate = Double(stretches.reduce(0) { $0 + $1.stored }) / (end - start).seconds
        print("figure_postgresql_writers_\(writers): \(Int(rate.rounded())) records/s")
    }

    private static func store(_ batches: [[ReceivedRecord]], _ location: StoreLocation) throws -> Stretch {
        let store = try InteractionStore.open(location)
        let now = (batches.last?.last.map(Population.start) ?? 0) + 3600
        for records in batches.prefix(Self.batches / 2) { _ = try store.store(records, now: now) }
        let start = ContinuousClock.now
        var stored = 0
        for records in batches.dropFirst(Self.batches / 2) { stored += try store.store(records, now: now).stored }
        return Stretch(stored: stored, start: start, end: .now)
    }

    /// Of one gateway all records go to one matcher.
    private func batches() -> [[[ReceivedRecord]]] {
        var population = Population(interactions: interactions, later: 2 * writers * Self.batches * Self.batch)
        var batches = [[[ReceivedRecord]]](repeating: [], count: writers)
        var waiting = [[ReceivedRecord]](repeating: [], count: writers)
        while batches.contains(where: { $0.count < Self.batches }) {
            for record in population.next(Self.batch) {
                let writer = Population.building(of: record) % writers
                if batches[writer].count == Self.batches { continue }
                waiting[writer].append(record)
                if waiting[writer].count == Self.batch {
                    batches[writer].append(waiting[writer])
                    waiting[writer] = []
                }
            }
        }
        return batches
    }
}
