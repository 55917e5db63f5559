/// How much a positive subject counts on each day, from the onset of symptoms or, without symptoms, the test.
package struct Infectiousness: Equatable, Sendable {
    /// Ascending and apart from each other.
    package var spans: [Span]
    /// On days that no span has.
    package var otherwise: Double
    /// When neither day is known.
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

    /// Every day counts alike unless spans are given.
    package init(spans: [Span] = [], otherwise: Double = 1, unknown: Double = 1) {
        self.spans = spans
        self.otherwise = otherwise
        self.unknown = unknown
    }

    /// Whether the day matters at all.
    package var dependsOnDay: Bool { !spans.isEmpty }

    /// - Parameter days: since the onset; `nil` when that isn't known.
    package func weight(days: Int64?) -> Double {
        guard dependsOnDay else { return otherwise }
        guard let days else { return unknown }
        return spans.first { $0.days.contains(days) }?.weight ?? otherwise
    }
}
