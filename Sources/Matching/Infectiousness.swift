/// Weight of a positive subject on each day, counted from the onset of symptoms or, without symptoms, the test.
package struct Infectiousness: Equatable, Sendable {
    /// Spans of days, ascending and disjoint.
    package var spans: [Span]
    /// Weight of days outside all spans.
    package var otherwise: Double
    /// Weight when neither the onset nor the test is known.
    package var unknown: Double

    package struct Span: Equatable, Sendable {
        /// Days after the onset; negative before it.
        package var days: ClosedRange<Int64>
        package var weight: Double

        package init(days: ClosedRange<Int64>, weight: Double) {
            self.days = days
            self.weight = weight
        }
    }

    /// Creates the weights. Without spans every day has the same weight.
    package init(spans: [Span] = [], otherwise: Double = 1, unknown: Double = 1) {
        self.spans = spans
        self.otherwise = otherwise
        self.unknown = unknown
    }

    /// Whether the weight depends on the day.
    package var dependsOnDay: Bool { !spans.isEmpty }

    /// Returns the weight of a day.
    ///
    /// - Parameter days: days since the onset; `nil` when unknown.
    package func weight(days: Int64?) -> Double {
        guard dependsOnDay else { return otherwise }
        guard let days else { return unknown }
        return spans.first { $0.days.contains(days) }?.weight ?? otherwise
    }
}
