/// How much a positive subject counts on each day, from the onset of symptoms or, without symptoms, the test.
public struct Infectiousness: Equatable, Sendable {
    /// Ascending and apart from each other.
    public var spans: [Span]
    /// On days that no span has.
    public var otherwise: Double
    /// When neither day is known.
    public var unknown: Double

    public struct Span: Equatable, Sendable {
        /// Days after the onset; negative before it.
        public var days: ClosedRange<Int64>
        public var weight: Double

        public init(days: ClosedRange<Int64>, weight: Double) {
            self.days = days
            self.weight = weight
        }
    }

    /// Every day counts alike unless spans are given.
    public init(spans: [Span] = [], otherwise: Double = 1, unknown: Double = 1) {
        self.spans = spans
        self.otherwise = otherwise
        self.unknown = unknown
    }

    /// Whether the day matters at all.
    public var dependsOnDay: Bool { !spans.isEmpty }

    /// - Parameter days: since the onset; `nil` when that isn't known.
    public func weight(days: Int64?) -> Double {
        guard dependsOnDay else { return otherwise }
        guard let days else { return unknown }
        return spans.first { $0.days.contains(days) }?.weight ?? otherwise
    }
}
