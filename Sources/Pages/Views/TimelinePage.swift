/// Attendance of one student, day by day.
package struct TimelinePage: PageContent {
    package static let template = PageTemplate.timeline
    package var frame: Frame
    /// Name, or the number of a student whose name is not known.
    package var student: String
    /// Student number; `nil` if it is shown as the name.
    package var number: String?
    /// Days and courses that the page covers, in a sentence.
    package var span: String
    /// Lectures that were left out, in a sentence.
    package var more: String?
    package var totals: [LecturesPage.Total]
    /// Days, the latest first.
    package var days: [Day]
    package var listPath: String

    package struct Day: Equatable, Sendable {
        package var day: String
        package var lectures: [Lecture]

        package init(_ day: String, lectures: [Lecture]) {
            self.day = day
            self.lectures = lectures
        }
    }

    package struct Lecture: Equatable, Sendable {
        package var course: String
        package var clock: String
        package var room: String
        package var path: String
        package var status: StatusWord
        /// Remarks: reasons, check-in and correction.
        package var reasons: [String]

        package init(
            course: String, clock: String, room: String, path: String, status: StatusWord, reasons: [String]
        ) {
            self.course = course
            self.clock = clock
            self.room = room
            self.path = path
            self.status = status
            self.reasons = reasons
        }
    }

    package init(
        _ frame: Frame, student: String, number: String?, span: String, more: String?,
        totals: [LecturesPage.Total], days: [Day], listPath: String
    ) {
        self.frame = frame
        self.student = student
        self.number = number
        self.span = span
        self.more = more
        self.totals = totals
        self.days = days
        self.listPath = listPath
    }
}
