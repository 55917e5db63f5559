/// Attendance of one lecture: each student with status and reasons, and a form to correct it.
package struct LecturePage: PageContent {
    package static let template = PageTemplate.lecture
    package var frame: Frame
    /// Identifier of the lecture, which forms send.
    package var lecture: String
    package var course: String
    package var title: String?
    package var when: String
    package var room: String
    /// Note while the lecture is not over, in a sentence.
    package var pending: String?
    /// Numbers of students by status.
    package var counts: [Count]
    package var rows: [Row]
    /// Path of the same table for a spreadsheet; `nil` while the lecture is not over.
    package var tablePath: String?
    /// Path of the list of lectures.
    package var listPath: String
    /// Range of the students that are shown, in a sentence; `nil` if all are.
    package var part: String?
    package var previousPath: String?
    package var nextPath: String?

    package struct Count: Equatable, Sendable {
        package var label: String
        package var number: String

        package init(label: String, number: String) {
            self.label = label
            self.number = number
        }
    }

    package struct Row: Equatable, Sendable {
        /// Name, or the number of a student whose name is not known.
        package var student: String
        /// Student number, which forms send.
        package var id: String
        /// Whether the number stands beside the name.
        package var isNamed: Bool
        package var timelinePath: String
        package var status: StatusWord
        /// First and last reception, and the time in the room.
        package var stay: String?
        package var checkIn: String?
        package var reasons: [String]
        package var corrections: [Correction]
        package var form: Form

        package init(
            student: String, id: String, isNamed: Bool, timelinePath: String, status: StatusWord, stay: String?,
            checkIn: String?, reasons: [String], corrections: [Correction], form: Form
        ) {
            self.student = student
            self.id = id
            self.isNamed = isNamed
            self.timelinePath = timelinePath
            self.status = status
            self.stay = stay
            self.checkIn = checkIn
            self.reasons = reasons
            self.corrections = corrections
            self.form = form
        }
    }

    package struct Correction: Equatable, Sendable {
        package var at: String
        package var by: String
        package var former: String
        package var new: String
        package var why: String
        /// Time that was corrected, and whether that counts, if the lecture was moved since; part of a sentence.
        package var moved: String?

        package init(at: String, by: String, former: String, new: String, why: String, moved: String? = nil) {
            self.at = at
            self.by = by
            self.former = former
            self.new = new
            self.why = why
            self.moved = moved
        }
    }

    /// Form that corrects a student's status.
    package struct Form: Equatable, Sendable {
        package var options: [SelectOption]
        /// Reason that was typed before, if it was not accepted.
        package var typed: String
        /// Reason why it was not accepted, in a sentence.
        package var problem: String?

        package init(options: [SelectOption], typed: String = "", problem: String? = nil) {
            self.options = options
            self.typed = typed
            self.problem = problem
        }
    }

    package init(
        _ frame: Frame, lecture: String, course: String, title: String?, when: String, room: String,
        pending: String?, counts: [Count], rows: [Row], tablePath: String?, listPath: String, part: String? = nil,
        previousPath: String? = nil, nextPath: String? = nil
    ) {
        self.frame = frame
        self.lecture = lecture
        self.course = course
        self.title = title
        self.when = when
        self.room = room
        self.pending = pending
        self.counts = counts
        self.rows = rows
        self.tablePath = tablePath
        self.listPath = listPath
        self.part = part
        self.previousPath = previousPath
        self.nextPath = nextPath
    }
}
