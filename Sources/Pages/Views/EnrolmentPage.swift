/// Codes with which phones enrol, by their labels. The codes themselves are not kept.
package struct EnrolmentPage: PageContent {
    package static let template = PageTemplate.enrolment
    package var frame: Frame
    /// Who can enrol, in a sentence.
    package var rule: String
    package var rows: [Row]
    /// Sentence with the number of labels, and which of them are shown.
    package var extent: String
    /// Path of the next part of the labels; `nil` if this is the last.
    package var nextPath: String?

    /// Codes that were issued together.
    package struct Row: Equatable, Sendable {
        package var label: String
        package var state: StateTag
        package var codes: Int
        package var uses: Int
        package var used: Int
        /// Local time at which the last code expires.
        package var expires: String

        package init(label: String, state: StateTag, codes: Int, uses: Int, used: Int, expires: String) {
            self.label = label
            self.state = state
            self.codes = codes
            self.uses = uses
            self.used = used
            self.expires = expires
        }
    }

    package init(_ frame: Frame, rule: String, rows: [Row], extent: String, nextPath: String?) {
        self.frame = frame
        self.rule = rule
        self.rows = rows
        self.extent = extent
        self.nextPath = nextPath
    }
}
