import OperatorText

/// What a risk is measured by: an exposure, as far as that matters here.
package protocol RiskContribution: Equatable, Sendable {
    /// Seconds since 1970.
    var start: Int64 { get }
    var end: Int64 { get }
    /// What the policy counts.
    var minutes: Double { get }
}

extension Exposure: RiskContribution {}

/// How likely it is that a subject was infected, by one policy.
package struct Risk<Contribution: RiskContribution>: Equatable, Sendable {
    package var level: RiskLevel
    /// The policy's own word for the level.
    package var label: String
    /// What the policy measures: exposures, or minutes of the day that has most of them; 0 when that is no risk.
    package var value: Double
    /// Those that are told: they ended in the time that the policy looks back on, and reach what is a risk by it.
    package var exposures: [Contribution]

    /// - Parameters:
    ///   - exposures: of one subject, from all positive reports.
    ///   - now: seconds since 1970.
    package init(_ exposures: [Contribution], policy: Policy, now: Int64) {
        let earliest = now - policy.risk.days * 86_400
        let counted = exposures.filter { $0.end >= earliest && $0.start <= now }
        self.exposures = policy.risk.told(counted, days: policy.days)
        switch policy.risk.measure {
        case .exposures: value = Double(self.exposures.count)
        // Of what is told only: a number below the first risk would say that somebody was there.
        case .dailyMinutes: value = RiskRule.dailyMinutes(self.exposures, policy.days).values.max() ?? 0
        }
        let step = policy.risk.step(for: value)
        level = step?.level ?? .low
        label = step?.label ?? ""
    }
}
