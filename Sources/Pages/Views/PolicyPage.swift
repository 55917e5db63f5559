/// Rules by which exposures and levels of risk are derived, in words.
package struct PolicyPage: PageContent {
    package static let template = PageTemplate.policy
    package var frame: Frame
    /// The policy in one sentence.
    package var title: String
    /// Limitations that people must know before they rely on the policy, in sentences.
    package var warning: String?
    package var facts: [LabelledFact]
    /// What counts as a contact, in sentences.
    package var contacts: [String]
    /// How much reports and days weigh, in sentences.
    package var weights: [String]
    /// What the level is decided by, in a sentence.
    package var measure: String
    package var steps: [Step]
    package var measured: [Measured]
    package var hasMeasured: Bool

    /// Step of the risk.
    package struct Step: Equatable, Sendable {
        package var level: OfficerTag
        package var label: String
        package var from: String

        package init(level: OfficerTag, label: String, from: String) {
            self.level = level
            self.label = label
            self.from = from
        }
    }

    /// Accuracy in a simulated building.
    package struct Measured: Equatable, Sendable {
        package var question: String
        package var world: String
        package var precision: String
        package var recall: String

        package init(question: String, world: String, precision: String, recall: String) {
            self.question = question
            self.world = world
            self.precision = precision
            self.recall = recall
        }
    }

    package init(
        _ frame: Frame, title: String, warning: String?, facts: [LabelledFact], contacts: [String], weights: [String],
        measure: String, steps: [Step], measured: [Measured]
    ) {
        self.frame = frame
        self.title = title
        self.warning = warning
        self.facts = facts
        self.contacts = contacts
        self.weights = weights
        self.measure = measure
        self.steps = steps
        self.measured = measured
        hasMeasured = !measured.isEmpty
    }
}
