/// Form of a new report, empty or with what was typed and what is wrong with it.
package struct NewReportPage: PageContent {
    package static let template = PageTemplate.newReport
    package var frame: Frame
    package var form: ReportForm
    package var hasChoices: Bool
    /// The latest day that can be given.
    package var latest: String
    package var isConfirmed: Bool
    package var isSelfReported: Bool
    package var hasDoubts: Bool

    package init(_ frame: Frame, _ form: ReportForm, latest: String) {
        self.frame = frame
        self.form = form
        hasChoices = !form.choices.isEmpty
        self.latest = latest
        isConfirmed = form.isConfirmed == true
        isSelfReported = form.isConfirmed == false
        hasDoubts = !form.doubts.isEmpty
    }
}
