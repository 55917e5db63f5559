package import CoreMetrics
package import Exposition

/// The meters of a program, for what nothing else counts.
///
/// A meter costs a lock and a look into a table. What is received is therefore not metered: its counts are collected
/// when they are asked for.
package struct Meters: Sendable {
    private let factory: any MetricsFactory

    package init(_ factory: any MetricsFactory) { self.factory = factory }

    /// Meters that count nothing.
    package static let none = Meters(NOOPMetricsHandler.instance)

    /// Adds to a counter.
    ///
    /// - Parameter labels: values of the labels, in the order of the definition.
    package func count(_ metric: some MetricName, by amount: Int = 1, _ labels: String...) {
        Counter(label: metric.rawValue, dimensions: Self.dimensions(metric, labels), factory: factory)
            .increment(by: amount)
    }

    /// Sets a gauge.
    package func set(_ metric: some MetricName, to value: Double, _ labels: String...) {
        Gauge(label: metric.rawValue, dimensions: Self.dimensions(metric, labels), factory: factory).record(value)
    }

    /// Adds the time since `start` to a histogram.
    package func time(_ metric: some MetricName, since start: ContinuousClock.Instant, _ labels: String...) {
        Timer(label: metric.rawValue, dimensions: Self.dimensions(metric, labels), factory: factory)
            .recordNanoseconds(Self.nanoseconds(ContinuousClock.now - start))
    }

    private static func dimensions(_ metric: some MetricName, _ labels: [String]) -> [(String, String)] {
        Array(zip(metric.definition.labels, labels))
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        // Nothing that is measured takes a century.
        guard (0..<3_000_000_000).contains(seconds) else { return 0 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
