/// Letters to exposed people, each on a page of its own when they are printed.
package struct LettersPage: PageContent {
    package static let template = PageTemplate.letters
    package var frame: Frame
    /// Number of letters, in a sentence.
    package var summary: String
    /// People who get no letter, with the reason, in sentences.
    package var remarks: [String]
    package var letters: [Letter]
    /// Path of the page before.
    package var back: String
    /// Path of the letters that follow; `nil` if there are none.
    package var next: String?

    package struct Letter: Equatable, Sendable {
        package var name: String
        /// Number of the person, for the delivery of the letter.
        package var number: String
        package var date: String
        package var findings: [String]
        package var days: [String]
        package var steps: [String]
        package var reason: String
        package var sender: String

        package init(
            name: String, number: String, date: String, findings: [String], days: [String], steps: [String],
            reason: String, sender: String
        ) {
            self.name = name
            self.number = number
            self.date = date
            self.findings = findings
            self.days = days
            self.steps = steps
            self.reason = reason
            self.sender = sender
        }
    }

    package init(
        _ frame: Frame, summary: String, remarks: [String], letters: [Letter], back: String, next: String? = nil
    ) {
        self.frame = frame
        self.summary = summary
        self.remarks = remarks
        self.letters = letters
        self.back = back
        self.next = next
    }
}
