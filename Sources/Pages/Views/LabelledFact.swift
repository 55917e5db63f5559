/// Fact with its label, as a list of facts shows it.
package struct LabelledFact: Equatable, Sendable {
    package var label: String
    package var fact: String

    package init(_ label: String, _ fact: String) {
        self.label = label
        self.fact = fact
    }
}
