import MatcherCore
import Matching
import OperatorText
import Pages

extension PageService {
    /// Shows the rules of the policy in words. They are about nobody, so the audit does not have it.
    func policy(_ request: PageRequest) -> PageAnswer {
        let policy = api.policy
        func percent(_ share: Double) -> String { Format.fixed(share * 100, 0) + " %" }
        return page(
            PolicyPage(
                request.frame("Rules for contacts and risk", route: .exposures), title: policy.title,
                warning: policy.warning?.asSentence,
                facts: [
                    LabelledFact("Policy", policy.name), LabelledFact("Version", policy.version),
                    LabelledFact("Source", policy.source), LabelledFact("Days are counted in", configuration.days.name),
                ],
                contacts: PolicyWords.contacts(policy), weights: PolicyWords.weights(policy),
                measure: PolicyWords.measure(policy.risk),
                steps: policy.risk.steps.map { step in
                    PolicyPage.Step(
                        level: OfficerTag(step.level.rawValue, tone: Self.tone(step.level)), label: step.label,
                        from: PolicyWords.from(step, policy.risk))
                },
                measured: policy.measured.map { measured in
                    PolicyPage.Measured(
                        question: measured.question, world: measured.world, precision: percent(measured.precision),
                        recall: percent(measured.recall))
                }))
    }

    private static func tone(_ level: RiskLevel) -> String { OfficerText.risk(level, label: "").tone }
}
