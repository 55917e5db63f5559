package import Matching

/// Row of a roster: a student of a course, with one of the student's devices.
package struct RosterRow: Hashable, Sendable {
    /// Line of the file.
    package var line: Int
    package var course: String
    package var student: String
    /// Badge or phone; `nil` in a row that names none.
    package var subject: SubjectIdentity?
    package var name: String?

    package init(line: Int, course: String, student: String, subject: SubjectIdentity? = nil, name: String? = nil) {
        self.line = line
        self.course = course
        self.student = student
        self.subject = subject
        self.name = name
    }

    /// Whether the row has a badge or phone, or names its student by it.
    package func names(_ other: SubjectIdentity) -> Bool {
        subject == other || [other.id.lowercased(), other.description.lowercased()].contains(student.lowercased())
    }
}
