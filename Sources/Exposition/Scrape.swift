/// The samples of one exposition.
///
/// Every metric has a limit of label sets. What exceeds it is left out and counted.
package struct Scrape: Sendable {
    package enum Value: Equatable, Sendable {
        case number(Double)
        case histogram(HistogramValue)
    }

    struct Family: Sendable {
        var definition: MetricDefinition
        var samples: [[String]: Value] = [:]
    }

    private(set) var families: [String: Family] = [:]
    /// Number of label sets that were left out.
    package private(set) var leftOut: UInt64 = 0
    private let most: Int

    /// Largest number of label sets of a metric. A gateway with 256 modules has six states of each, and the page of a
    /// matcher some hundred routes with five classes of status.
    package static let usualMost = 2000

    package init(most: Int = usualMost) { self.most = most }

    /// Adds a sample, or replaces that with the same labels.
    ///
    /// - Parameter labels: values of the labels, in the order of the definition.
    package mutating func add(_ metric: some MetricName, _ value: Double, _ labels: String...) {
        add(metric.rawValue, metric.definition, .number(value), labels)
    }

    package mutating func add(_ metric: some MetricName, _ value: UInt64, _ labels: String...) {
        add(metric.rawValue, metric.definition, .number(Double(value)), labels)
    }

    package mutating func add(_ metric: some MetricName, _ value: Int, _ labels: String...) {
        add(metric.rawValue, metric.definition, .number(Double(value)), labels)
    }

    package mutating func add(_ metric: some MetricName, _ value: Bool, _ labels: String...) {
        add(metric.rawValue, metric.definition, .number(value ? 1 : 0), labels)
    }

    package mutating func add(_ metric: some MetricName, _ value: HistogramValue, _ labels: String...) {
        add(metric.rawValue, metric.definition, .histogram(value), labels)
    }

    /// Adds one sample for each possible state: 1 for the present one, 0 for the others.
    ///
    /// - Parameter labels: values of the labels before that of the state.
    package mutating func add(
        states: [String], of metric: some MetricName, present: String, _ labels: String...
    ) {
        for state in states {
            add(metric.rawValue, metric.definition, .number(state == present ? 1 : 0), labels + [state])
        }
    }

    package mutating func add(_ name: String, _ definition: MetricDefinition, _ value: Value, _ labels: [String]) {
        var family = families[name] ?? Family(definition: definition)
        let values = labels.map(LabelText.bounded)
        guard values.count == definition.labels.count, family.samples[values] != nil || family.samples.count < most
        else {
            leftOut += 1
            return
        }
        family.samples[values] = value
        families[name] = family
    }
}
