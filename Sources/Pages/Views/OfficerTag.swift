/// Word with a colour, such as a level of risk or the state of a report.
///
/// The colour says nothing that the word does not.
package struct OfficerTag: Equatable, Sendable {
    package var text: String
    /// Class of the style sheet: `good`, `warn`, `bad`, or empty.
    package var tone: String

    package init(_ text: String, tone: String = "") {
        self.text = text
        self.tone = tone
    }
}
