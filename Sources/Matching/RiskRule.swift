public import OperatorText

/// How likely it is that somebody was infected, for people.
public enum RiskLevel: String, Equatable, Sendable, CaseIterable, Comparable {
    case low, medium, high

    public static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// The level of risk that follows from a subject's exposures.
public struct RiskRule: Equatable, Sendable {
    public var measure: Measure
    /// What is longer ago doesn't count, in days.
    public var days: Int64
    /// Ascending by `from`; the first is of 0.
    public var steps: [Step]

    public enum Measure: String, Equatable, Sendable, CaseIterable {
        /// The number of exposures.
        case exposures
        /// The weighted minutes of the day that has most of them.
        case dailyMinutes = "daily-minutes"
    }

    public struct Step: Equatable, Sendable {
        public var level: RiskLevel
        /// From so many on.
        public var from: Double
        /// The policy's own word for it.
        public var label: String

        public init(level: RiskLevel, from: Double, label: String) {
            self.level = level
            self.from = from
            self.label = label
        }
    }

    public init(measure: Measure, days: Int64, steps: [Step]) {
        self.measure = measure
        self.days = days
        self.steps = steps
    }

    /// The step that a measured value reaches; `nil` of no steps.
    public func step(for value: Double) -> Step? { steps.last { value >= $0.from } ?? steps.first }

    /// Those of one subject's exposures that anybody is told of. What is below the second step is no risk: minutes that
    /// don't reach it on their day aren't told, however many there are on another.
    ///
    /// - Parameter days: the site's.
    public func told<Contribution: RiskContribution>(
        _ exposures: [Contribution], days: CalendarDays
    ) -> [Contribution] {
        switch measure {
        case .exposures: return exposures
        case .dailyMinutes:
            guard let least = steps.dropFirst().first?.from else { return exposures }
            let minutes = Self.dailyMinutes(exposures, days)
            return exposures.filter { minutes[days.day(of: $0.start), default: 0] >= least }
        }
    }

    /// By the day on which each began.
    static func dailyMinutes<Contribution: RiskContribution>(
        _ exposures: [Contribution], _ days: CalendarDays
    ) -> [Int64: Double] {
        exposures.reduce(into: [:]) { $0[days.day(of: $1.start), default: 0] += $1.minutes }
    }
}
