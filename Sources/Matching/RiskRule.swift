package import OperatorText

/// How likely it is that somebody was infected, for people.
package enum RiskLevel: String, Equatable, Sendable, CaseIterable, Comparable {
    case low, medium, high

    package static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// The level of risk that follows from a subject's exposures.
package struct RiskRule: Equatable, Sendable {
    package var measure: Measure
    /// What is longer ago doesn't count, in days.
    package var days: Int64
    /// Ascending by `from`; the first is of 0.
    package var steps: [Step]

    package enum Measure: String, Equatable, Sendable, CaseIterable {
        /// The number of exposures.
        case exposures
        /// The weighted minutes of the day that has most of them.
        case dailyMinutes = "daily-minutes"
    }

    package struct Step: Equatable, Sendable {
        package var level: RiskLevel
        /// From so many on.
        package var from: Double
        /// The policy's own word for it.
        package var label: String

        package init(level: RiskLevel, from: Double, label: String) {
            self.level = level
            self.from = from
            self.label = label
        }
    }

    package init(measure: Measure, days: Int64, steps: [Step]) {
        self.measure = measure
        self.days = days
        self.steps = steps
    }

    /// The step that a measured value reaches; `nil` of no steps.
    package func step(for value: Double) -> Step? { steps.last { value >= $0.from } ?? steps.first }

    /// Those of one subject's exposures that anybody is told of. What is below the second step is no risk: minutes that
    /// don't reach it on their day aren't told, however many there are on another.
    ///
    /// - Parameter days: the site's.
    package func told<Contribution: RiskContribution>(
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
