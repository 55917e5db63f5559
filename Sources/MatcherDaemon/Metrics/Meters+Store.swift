import Exposition
import InteractionStore
import Metering

extension Meters {
    /// Counts what became of the records of a batch.
    ///
    /// - Parameter all: number of records.
    func count(_ outcome: InteractionStore.Outcome, of all: Int) {
        var stored = all - outcome.rejected.count
        for refusal in InteractionStore.Refusal.allCases {
            let count = outcome.refused[refusal] ?? 0
            stored -= count
            self.count(MatcherMetric.refused, by: count, refusal.rawValue)
        }
        count(MatcherMetric.refused, by: outcome.rejected.count, "rejected")
        count(MatcherMetric.stored, by: max(0, stored))
    }

    func count(_ deletion: InteractionStore.Deletion) {
        for (kind, rows) in [
            ("interactions", deletion.interactions), ("readings", deletion.readings), ("stays", deletion.stays),
            ("subjects", deletion.subjects),
        ] { count(MatcherMetric.deleted, by: rows, kind) }
    }
}
