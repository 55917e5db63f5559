package import OperatorText

/// Likelihood of an infection, in words for people.
package enum RiskLevel: String, Equatable, Sendable, CaseIterable, Comparable {
    case low, medium, high

    package static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// Rule for the level of risk that follows from a subject's exposures.
package struct RiskRule: Equatable, Sendable {
    package var measure: Measure
    /// Look-back period in days; earlier exposures do not count.
    package var days: Int64
    /// Steps in ascending order of `from`; the first starts at 0.
    package var steps: [Step]

    package enum Measure: String, Equatable, Sendable, CaseIterable {
        /// Number of exposures.
        case exposures
        /// Weighted minutes of the day with the most.
        case dailyMinutes = "daily-minutes"
    }

    package struct Step: Equatable, Sendable {
        package var level: RiskLevel
        /// Lowest value of the step.
        package var from: Double
        /// Policy's own word for the level.
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

    /// Returns the step that a measured value reaches; `nil` when there are no steps.
    package func step(for value: Double) -> Step? { steps.last { value >= $0.from } ?? steps.first }

    /// Returns the exposures of one subject that are notified. Values below the second step are no risk: minutes of a
    /// day that does not reach it are not notified, however many there are on another day.
    ///
    /// - Parameter days: the site's calendar.
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

    /// Returns the minutes by the day on which each exposure began.
    static func dailyMinutes<Contribution: RiskContribution>(
        _ exposures: [Contribution], _ days: CalendarDays
    ) -> [Int64: Double] {
        exposures.reduce(into: [:]) { $0[days.day(of: $1.start), default: 0] += $1.minutes }
    }
}
