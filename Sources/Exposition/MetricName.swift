/// A table of metrics. Its cases are all that a program exposes; the raw value of a case is the metric's name.
package protocol MetricName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    var definition: MetricDefinition { get }
}
