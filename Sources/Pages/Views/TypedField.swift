/// Field of a form: the text as it was typed or suggested, and what is wrong with it.
package struct TypedField: Equatable, Sendable {
    package var text: String
    /// Mistake in a sentence; `nil` if there is none.
    package var mistake: String?

    package init(_ text: String = "", mistake: String? = nil) {
        self.text = text
        self.mistake = mistake
    }
}
