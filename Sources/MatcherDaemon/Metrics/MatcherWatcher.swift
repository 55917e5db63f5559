import CommandSupport
import Exposition
import HTTPServing
import InteractionStore
import Logging
import Metering
import OperatorText

/// The metrics of a matcher, and the listener that answers `/metrics` and `/healthz`.
struct MatcherWatcher: Sendable {
    /// Meters for the matcher's services. They count nothing if nobody can ask for them.
    let meters: Meters
    private let registry: MeterRegistry?

    init(_ settings: MetricsSettings?) {
        guard settings != nil else {
            (meters, registry) = (.none, nil)
            return
        }
        ProcessFacts.begin()
        let registry = MeterRegistry(MatcherMetric.self)
        meters = Meters(registry)
        self.registry = registry
        // A counter that appears with its first event has no increase.
        for metric in [MatcherMetric.brokerConnections, .missing, .storeFailures] { meters.count(metric, by: 0) }
        meters.count(InteractionStore.Outcome(), of: 0)
        meters.count(InteractionStore.Deletion())
        for outcome in MessageOutcome.allCases { meters.count(outcome, by: 0) }
        for work in PeriodicWork.allCases { meters.count(MatcherMetric.workFailures, by: 0, work.rawValue) }
        for failure in SignInFailure.allCases { meters.count(MatcherMetric.signInFailures, by: 0, failure.rawValue) }
    }

    /// Returns the listener; `nil` if the configuration has none.
    ///
    /// - Parameter listening: called with the port that the system assigned.
    func listener(
        _ settings: MetricsSettings?, _ collector: MatcherCollector, logger: Logger,
        listening: @escaping @Sendable (Int) -> Void
    ) -> RetriedListener? {
        guard let settings, let registry else { return nil }
        return WatchEndpoint(
            registry: registry, version: ProductVersion.number, commit: ProductVersion.commitOfBuild,
            liveness: collector.liveness, collect: collector.collect
        ).listener(settings, logger: logger, listening: listening)
    }
}
