/// Corrections of attendance at the courses that an account may see, the latest first.
package struct CorrectionsPage: PageContent {
    package static let template = PageTemplate.corrections
    package var frame: Frame
    package var listPath: String
    /// What the list has, in sentences.
    package var extent: String
    package var rows: [Row]
    /// Paths of the other parts of the list; `nil` if there are none.
    package var latestPath: String?
    package var olderPath: String?

    package struct Row: Equatable, Sendable {
        /// Course and time of the lecture.
        package var lecture: String
        /// Path of the lecture's page; `nil` if the timetable has it no more.
        package var lecturePath: String?
        package var student: String
        /// Number of the student; `nil` if it stands for the name.
        package var number: String?
        /// Path of the student's attendance; `nil` if there is none for the account.
        package var studentPath: String?
        package var correction: LecturePage.Correction

        package init(
            lecture: String, lecturePath: String?, student: String, number: String?, studentPath: String?,
            correction: LecturePage.Correction
        ) {
            self.lecture = lecture
            self.lecturePath = lecturePath
            self.student = student
            self.number = number
            self.studentPath = studentPath
            self.correction = correction
        }
    }

    package init(
        _ frame: Frame, listPath: String, extent: String, rows: [Row], latestPath: String? = nil,
        olderPath: String? = nil
    ) {
        self.frame = frame
        self.listPath = listPath
        self.extent = extent
        self.rows = rows
        self.latestPath = latestPath
        self.olderPath = olderPath
    }
}
