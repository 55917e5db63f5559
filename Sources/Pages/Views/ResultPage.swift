/// Test result that somebody sent in, and what an officer can decide about it.
package struct ResultPage: PageContent {
    package static let template = PageTemplate.result
    package var frame: Frame
    /// Values that the sender typed.
    package var sent: [LabelledFact]
    /// Path of the picture; `nil` for a result with a code.
    package var picturePath: String?
    /// Values that were read from the picture.
    package var readOff: [LabelledFact]
    package var hasReadOff: Bool
    /// Remark on the reliability of what was read, in sentences.
    package var remark: String
    /// The report as it was sent, or as the result suggests it; its choices are the people who can be meant.
    package var form: ReportForm
    package var hasChoices: Bool
    package var latest: String
    package var hasDoubts: Bool
    package var filePath: String
    package var refusePath: String
    /// Reason of a refusal.
    package var reason: TypedField

    /// Facts about the result.
    package struct Contents: Equatable, Sendable {
        package var sent: [LabelledFact]
        package var picturePath: String?
        package var readOff: [LabelledFact]
        package var remark: String

        package init(sent: [LabelledFact], picturePath: String?, readOff: [LabelledFact], remark: String) {
            self.sent = sent
            self.picturePath = picturePath
            self.readOff = readOff
            self.remark = remark
        }
    }

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - path: path of the result.
    ///   - form: the report as it was sent, or as the result suggests it.
    ///   - reason: reason of a refusal.
    package init(
        _ frame: Frame, path: String, _ contents: Contents, _ form: ReportForm, latest: String,
        reason: TypedField = TypedField()
    ) {
        self.frame = frame
        sent = contents.sent
        picturePath = contents.picturePath
        readOff = contents.readOff
        hasReadOff = !contents.readOff.isEmpty
        remark = contents.remark
        self.form = form
        hasChoices = !form.choices.isEmpty
        self.latest = latest
        hasDoubts = !form.doubts.isEmpty
        filePath = path + "/file"
        refusePath = path + "/refuse"
        self.reason = reason
    }
}
