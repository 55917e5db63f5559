import CommandSupport
import Exposition
import HTTPServing
import Logging
import Metering
import OperatorText
import RecordContract

/// The metrics of a gateway, and the listener that answers `/metrics` and `/healthz`.
struct GatewayWatcher: Sendable {
    /// Meters for the gateway's services. They count nothing if nobody can ask for them.
    let meters: Meters
    /// `nil`: the configuration has none.
    let listener: RetriedListener?

    /// - Parameter listening: called with the port that the system assigned.
    init(
        settings: MetricsSettings?, collector: GatewayCollector, logger: Logger,
        listening: @escaping @Sendable (Int) -> Void
    ) {
        guard let settings else {
            (meters, listener) = (.none, nil)
            return
        }
        ProcessFacts.begin()
        let registry = MeterRegistry(GatewayMetric.self)
        meters = Meters(registry)
        // A counter that appears with its first event has no increase.
        for priority in OutboxPriority.allCases { meters.count(GatewayMetric.records, by: 0, priority.name) }
        listener = WatchEndpoint(
            registry: registry, version: ProductVersion.number, commit: ProductVersion.commitOfBuild,
            liveness: collector.present, collect: collector.collect
        ).listener(settings, logger: logger, listening: listening)
    }
}
