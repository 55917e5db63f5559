/// Status of attendance in a word, with the class that colours it.
package struct StatusWord: Equatable, Sendable {
    package var word: String
    /// Class of the style sheet: `good`, `warn`, `bad`, or none.
    package var tone: String

    package init(_ word: String, tone: String = "") {
        self.word = word
        self.tone = tone
    }
}
