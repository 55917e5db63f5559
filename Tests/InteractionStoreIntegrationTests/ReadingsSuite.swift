import Evidence
import InteractionStore

/// Tests of a store that takes the readings of one simulation.
protocol ReadingsSuite {}

extension ReadingsSuite {
    static var day: Int64 { 86_400 }
    /// Two hours after the first reading.
    var now: Int64 { SyntheticReadings.morning + 7200 }
    var simulation: SyntheticReadings { SyntheticReadings() }

    func stored(
        _ records: [ReadingsRecord], in store: InteractionStore, batch: Int = 100
    ) throws -> InteractionStore.Outcome {
        var outcome = InteractionStore.Outcome()
        for start in stride(from: 0, to: records.count, by: batch) {
            let part = try store.store(
                records[start..<min(start + batch, records.count)].map { .readings($0) }, now: now)
            outcome.stored += part.stored
            outcome.known += part.known
            outcome.refused.merge(part.refused, uniquingKeysWith: +)
        }
        return outcome
    }

    func settle(_ store: InteractionStore) throws {
        _ = try store.settleAllReadings(before: now, now: now)
    }
}
