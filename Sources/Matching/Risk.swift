import OperatorText

/// Contribution to a risk: the parts of an exposure that matter for it.
package protocol RiskContribution: Equatable, Sendable {
    /// Start and end, in seconds since 1970.
    var start: Int64 { get }
    var end: Int64 { get }
    /// Minutes as the policy counts them.
    var minutes: Double { get }
}

extension Exposure: RiskContribution {}

/// Likelihood that a subject was infected, under one policy.
package struct Risk<Contribution: RiskContribution>: Equatable, Sendable {
    package var level: RiskLevel
    /// Policy's own word for the level.
    package var label: String
    /// Value that the policy measures: the number of exposures, or the minutes of the day with the most; 0 when that is
    /// no risk.
    package var value: Double
    /// Exposures that are notified: they lie in the policy's look-back period and reach a risk under the policy.
    package var exposures: [Contribution]

    /// Computes the risk.
    ///
    /// - Parameters:
    ///   - exposures: exposures of one subject, from all positive reports.
    ///   - now: seconds since 1970.
    package init(_ exposures: [Contribution], policy: Policy, now: Int64) {
        let earliest = now - policy.risk.days * 86_400
        let counted = exposures.filter { $0.end >= earliest && $0.start <= now }
        self.exposures = policy.risk.told(counted, days: policy.days)
        switch policy.risk.measure {
        case .exposures: value = Double(self.exposures.count)
        // Only notified exposures count: a number below the first risk step would reveal that a positive person was
        // present.
        case .dailyMinutes: value = RiskRule.dailyMinutes(self.exposures, policy.days).values.max() ?? 0
        }
        let step = policy.risk.step(for: value)
        level = step?.level ?? .low
        label = step?.label ?? ""
    }
}
