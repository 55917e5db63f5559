/// Lectures of some weeks, with a choice of courses; for a course also its students with their percentages.
package struct LecturesPage: PageContent {
    package static let template = PageTemplate.lectures
    package var frame: Frame
    /// Reason why there is nothing else on the page.
    package var trouble: AttendanceTrouble?
    /// Courses to choose from; `nil` if there are none.
    package var filter: Filter?
    /// What to choose for what was asked for, in a sentence.
    package var hint: String?
    /// Reason why no courses are shown, in a sentence.
    package var nothing: String?
    /// Lists of lectures: what comes, and what is over.
    package var lists: [LectureList]
    /// Link to the students of the chosen course.
    package var studentsPath: String?
    package var students: Students?
    package let timetablePath = PageRoute.timetable.path
    package let correctionsPath = PageRoute.corrections.path

    package struct Filter: Equatable, Sendable {
        package var courses: [Course]
        /// Course that is chosen.
        package var chosen: String?

        package init(courses: [Course], chosen: String?) {
            self.courses = courses
            self.chosen = chosen
        }
    }

    package struct Course: Equatable, Sendable {
        package var course: String
        package var isChosen: Bool

        package init(_ course: String, isChosen: Bool) {
            self.course = course
            self.isChosen = isChosen
        }
    }

    package struct LectureList: Equatable, Sendable {
        package var heading: String
        package var caption: String
        package var rows: [LectureRow]
        /// Note on lectures that the list leaves out, in a sentence.
        package var more: String?
        /// Path of the part with earlier lectures; `nil` if there are none.
        package var olderPath: String?

        package init(
            heading: String, caption: String, rows: [LectureRow], more: String? = nil, olderPath: String? = nil
        ) {
            self.heading = heading
            self.caption = caption
            self.rows = rows
            self.more = more
            self.olderPath = olderPath
        }
    }

    package struct LectureRow: Equatable, Sendable {
        package var when: String
        package var course: String
        /// Title; `nil` if it says no more than the course.
        package var title: String?
        package var room: String
        package var path: String

        package init(when: String, course: String, title: String?, room: String, path: String) {
            self.when = when
            self.course = course
            self.title = title
            self.room = room
            self.path = path
        }
    }

    /// Students of a course with their totals: all, or a part of the list.
    package struct Students: Equatable, Sendable {
        package var course: String
        /// Days over which lectures are counted, in words.
        package var span: String
        package var rows: [Total]
        /// Total of all students; `nil` if no lecture has ended.
        package var all: Total?
        /// Lectures by students; `nil` if no lecture has ended.
        package var grid: AttendanceGrid?
        /// Students that are shown, in a sentence; `nil` if all are.
        package var part: String?
        /// Path of the part before; `nil` for the first.
        package var previousPath: String?
        /// Path of the next part; `nil` for the last.
        package var nextPath: String?

        package init(
            course: String, span: String, rows: [Total], all: Total?, grid: AttendanceGrid? = nil,
            part: String? = nil, previousPath: String? = nil, nextPath: String? = nil
        ) {
            self.course = course
            self.span = span
            self.rows = rows
            self.all = all
            self.grid = grid
            self.part = part
            self.previousPath = previousPath
            self.nextPath = nextPath
        }
    }

    /// Total of a student, or of all students, in a course.
    package struct Total: Equatable, Sendable {
        package var label: String
        /// Student number; `nil` for all students, and if it is the label.
        package var number: String?
        package var path: String?
        package var attended: String
        package var percent: String
        package var late: String
        package var leftEarly: String
        package var excused: String
        package var unknown: String

        package init(
            label: String, number: String?, path: String?, attended: String, percent: String, late: String,
            leftEarly: String, excused: String, unknown: String
        ) {
            self.label = label
            self.number = number
            self.path = path
            self.attended = attended
            self.percent = percent
            self.late = late
            self.leftEarly = leftEarly
            self.excused = excused
            self.unknown = unknown
        }
    }

    package init(
        _ frame: Frame, trouble: AttendanceTrouble? = nil, filter: Filter? = nil, hint: String? = nil,
        nothing: String? = nil, lists: [LectureList] = [], studentsPath: String? = nil, students: Students? = nil
    ) {
        self.frame = frame
        self.trouble = trouble
        self.filter = filter
        self.hint = hint
        self.nothing = nothing
        self.lists = lists
        self.studentsPath = studentsPath
        self.students = students
    }
}
