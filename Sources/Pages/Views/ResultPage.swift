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
    /// People who can be meant.
    package var choices: [NewReportPage.Choice]
    package var hasChoices: Bool
    package var person: String
    package var personMistake: String?
    package var test: String
    package var testMistake: String?
    package var onset: String
    package var onsetMistake: String?
    package var latest: String
    package var doubts: [String]
    package var hasDoubts: Bool
    package var filePath: String
    package var refusePath: String
    package var reason: String
    package var reasonMistake: String?

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
    ///   - typed: the form as it was sent, or as the result suggests it.
    ///   - mistakes: what is wrong with it; its choices are the people who can be meant.
    ///   - refusal: reason of a refusal as it was typed, and what is wrong with it.
    package init(
        _ frame: Frame, path: String, _ contents: Contents, typed: NewReportPage.Typed,
        mistakes: NewReportPage.Mistakes, latest: String, refusal: (reason: String, mistake: String?) = ("", nil)
    ) {
        self.frame = frame
        sent = contents.sent
        picturePath = contents.picturePath
        readOff = contents.readOff
        hasReadOff = !contents.readOff.isEmpty
        remark = contents.remark
        choices = mistakes.choices
        hasChoices = !mistakes.choices.isEmpty
        person = typed.person
        personMistake = mistakes.person
        test = typed.test
        testMistake = mistakes.test
        onset = typed.onset
        onsetMistake = mistakes.onset
        self.latest = latest
        doubts = mistakes.doubts
        hasDoubts = !mistakes.doubts.isEmpty
        filePath = path + "/file"
        refusePath = path + "/refuse"
        reason = refusal.reason
        reasonMistake = refusal.mistake
    }
}
