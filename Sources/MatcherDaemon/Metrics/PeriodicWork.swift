import BeaconModel
import Exposition
import Metering
import SystemIO

/// Work that a matcher repeats, for the metrics.
enum PeriodicWork: String, CaseIterable {
    case settling, retention, exposures, occupancy, stays
}

extension Meters {
    /// Carries out one run of periodic work, and meters how long it takes and whether it succeeds.
    func run<Value>(
        _ work: PeriodicWork, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let start = ContinuousClock.now
        do {
            let value = try await body()
            time(MatcherMetric.work, since: start, work.rawValue)
            set(MatcherMetric.workSuccess, to: Double(WallClock.now().microseconds) / 1e6, work.rawValue)
            return value
        } catch {
            // The program ends.
            if !(error is CancellationError) { count(MatcherMetric.workFailures, work.rawValue) }
            throw error
        }
    }
}
