/// Table of the attendance at a course: a row for each student, a column for each lecture.
package struct AttendanceGrid: Equatable, Sendable {
    /// Lectures that the table has, in a sentence.
    package var extent: String
    package var columns: [Column]
    package var students: [Student]

    /// Lecture, whose page has the reasons.
    package struct Column: Equatable, Sendable {
        package var lecture: String
        package var lecturePath: String

        package init(_ lecture: String, path: String) {
            self.lecture = lecture
            lecturePath = path
        }
    }

    package struct Student: Equatable, Sendable {
        package var student: String
        /// Student number; `nil` if it is `student`.
        package var number: String?
        package var studentPath: String
        /// One for each column.
        package var cells: [Cell]

        package init(_ student: String, number: String?, path: String, cells: [Cell]) {
            self.student = student
            self.number = number
            studentPath = path
            self.cells = cells
        }
    }

    package struct Cell: Equatable, Sendable {
        /// Lecture of the column.
        package var column: String
        /// `nil` if nothing is known of the student at this lecture.
        package var status: StatusWord?

        package init(column: String, status: StatusWord?) {
            self.column = column
            self.status = status
        }
    }

    package init(extent: String, columns: [Column], students: [Student]) {
        self.extent = extent
        self.columns = columns
        self.students = students
    }
}
