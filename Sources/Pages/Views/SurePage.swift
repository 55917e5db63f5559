/// Page that says what will happen, and asks once more before it does.
package struct SurePage: PageContent {
    package static let template = PageTemplate.sure
    package var frame: Frame
    package var facts: [LabelledFact]
    /// Reasons to look again first.
    package var warnings: [String]
    /// What will happen, in sentences.
    package var effects: [String]
    /// Path to which the form is sent.
    package var path: String
    package var fields: [HiddenField]
    /// Words of the button.
    package var button: String
    /// Whether the button warns, because what it does is hard to undo.
    package var isDangerous: Bool
    /// Page to which somebody who is not sure goes back.
    package var back: Back

    package struct Back: Equatable, Sendable {
        package var label: String
        package var path: String

        package init(_ label: String, path: String) {
            self.label = label
            self.path = path
        }
    }

    package init(
        _ frame: Frame, facts: [LabelledFact], warnings: [String] = [], effects: [String], path: String,
        fields: [HiddenField], button: String, isDangerous: Bool = true, back: Back
    ) {
        self.frame = frame
        self.facts = facts
        self.warnings = warnings
        self.effects = effects
        self.path = path
        self.fields = fields
        self.button = button
        self.isDangerous = isDangerous
        self.back = back
    }
}
