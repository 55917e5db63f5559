/// Choice of a list in a form.
package struct SelectOption: Equatable, Sendable {
    package var value: String
    package var label: String
    package var isSelected: Bool

    package init(value: String, label: String, isSelected: Bool) {
        self.value = value
        self.label = label
        self.isSelected = isSelected
    }
}
