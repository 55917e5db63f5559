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
    /// Time at which data of a badge or phone that the row named was erased, in seconds since 1970.
    package var erasedAt: Int64?

    package init(
        line: Int, course: String, student: String, subject: SubjectIdentity? = nil, name: String? = nil,
        erasedAt: Int64? = nil
    ) {
        self.line = line
        self.course = course
        self.student = student
        self.subject = subject
        self.name = name
        self.erasedAt = erasedAt
    }

    /// Whether the row has a badge or phone, or names its student by it.
    package func names(_ other: SubjectIdentity) -> Bool { subject == other || namesStudent(by: other) }

    /// Returns the row after data of a badge or phone was erased: without its name, and with the time of the erasure,
    /// so that no absence is concluded from what is missing. `nil` if the row names its student by the badge or phone.
    package func erasing(_ other: SubjectIdentity, at time: Int64) -> RosterRow? {
        if namesStudent(by: other) { return nil }
        guard subject == other else { return self }
        return RosterRow(line: line, course: course, student: student, name: name, erasedAt: time)
    }

    private func namesStudent(by other: SubjectIdentity) -> Bool {
        [other.id.lowercased(), other.description.lowercased()].contains(student.lowercased())
    }
}
