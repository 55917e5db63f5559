/// Name, kind, labels and help text of a metric, for the exposition and the guide.
package struct MetricDefinition: Equatable, Sendable {
    /// How a metric's values behave.
    package enum Kind: Equatable, Sendable {
        /// A number that only grows while the program runs. Its metric's name ends with `_total`.
        case counter
        /// A number that goes up and down.
        case gauge
        /// A distribution of values.
        ///
        /// - Parameter bounds: upper bounds of the buckets, ascending. The last bucket, without a bound, is implied.
        case histogram(bounds: [Double])
    }

    package var kind: Kind
    /// Names of the labels, in the order in which their values are given.
    package var labels: [String]
    /// One sentence without a full stop.
    package var help: String

    package init(kind: Kind, labels: [String] = [], help: String) {
        self.kind = kind
        self.labels = labels
        self.help = help
    }

    package static func counter(_ help: String, _ labels: String...) -> Self {
        Self(kind: .counter, labels: labels, help: help)
    }

    package static func gauge(_ help: String, _ labels: String...) -> Self {
        Self(kind: .gauge, labels: labels, help: help)
    }

    package static func histogram(_ help: String, _ bounds: [Double], _ labels: String...) -> Self {
        Self(kind: .histogram(bounds: bounds), labels: labels, help: help)
    }

    /// The word for the kind in the exposition.
    package var type: String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    /// Bounds for work that usually takes milliseconds, in seconds.
    package static let shortTimes: [Double] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
    /// Bounds for work that takes seconds to minutes, in seconds.
    package static let longTimes: [Double] = [0.1, 1, 5, 10, 30, 60, 120, 300, 600]
}
