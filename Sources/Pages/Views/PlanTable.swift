/// Table of a form, in whose rows somebody writes the parts of a floor.
package struct PlanTable: Equatable, Sendable {
    /// Beginning of the names of its fields, for the script: `room`.
    package var kind: String
    package var heading: String
    package var caption: String
    /// Help on filling in its fields, in a sentence.
    package var help: String
    package var columns: [String]
    package var rows: [Row]

    package struct Row: Equatable, Sendable {
        package var cells: [Field]

        package init(cells: [Field]) { self.cells = cells }
    }

    package init(kind: String, heading: String, caption: String, help: String, columns: [String], rows: [Row]) {
        self.kind = kind
        self.heading = heading
        self.caption = caption
        self.help = help
        self.columns = columns
        self.rows = rows
    }

    /// Field with its label, what was typed, and what is wrong with it.
    package struct Field: Equatable, Sendable {
        /// Name that is sent.
        package var field: String
        package var label: String
        /// Words beside the label: that the field can be empty.
        package var hint: String?
        package var value: String
        /// Class for its width.
        package var size: String
        /// Mistakes, in sentences.
        package var mistakes: [String]
        package var isWrong: Bool
        /// Choices; none for a field in which is typed.
        package var choices: [Choice]
        package var isChoice: Bool

        package struct Choice: Equatable, Sendable {
            package var value: String
            package var label: String
            package var isChosen: Bool

            package init(value: String, label: String, isChosen: Bool) {
                self.value = value
                self.label = label
                self.isChosen = isChosen
            }
        }

        package init(
            _ field: String, label: String, hint: String? = nil, value: String, size: String = "medium",
            mistakes: [String] = [], choices: [Choice] = []
        ) {
            self.field = field
            self.label = label
            self.hint = hint
            self.value = value
            self.size = size
            self.mistakes = mistakes
            isWrong = !mistakes.isEmpty
            self.choices = choices
            isChoice = !choices.isEmpty
        }
    }
}
