/// Findings of programs in a picture.
package struct PictureFindings: Hashable, Sendable {
    /// Contents of QR codes, one line each.
    package var codes: [String]
    package var suggestion: ResultSuggestion
    /// Whether a program failed, or ran out of time, memory or output; there may be more to find.
    package var isIncomplete: Bool

    package init(codes: [String], suggestion: ResultSuggestion, isIncomplete: Bool) {
        self.codes = codes
        self.suggestion = suggestion
        self.isIncomplete = isIncomplete
    }
}
