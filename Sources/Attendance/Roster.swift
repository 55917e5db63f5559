package import Matching
import OperatorText

/// Students by course, with the devices that they carry.
package struct Roster: Equatable, Sendable {
    package struct Student: Hashable, Sendable {
        /// Student number of the university.
        package var id: String
        package var name: String?
        /// Badges and phones; each identifies this person.
        package var subjects: [SubjectIdentity]
        /// Time at which data of a badge or phone was erased that the roster named, in seconds since 1970.
        package var erasedAt: Int64?

        /// Takes the later one of two erasures.
        fileprivate mutating func note(erasedAt other: Int64?) {
            erasedAt = [erasedAt, other].compactMap(\.self).max()
        }
    }

    private var students: [String: Student] = [:]
    /// Courses by the key of their names.
    private var courses: [String: Course] = [:]

    struct Course: Equatable, Sendable {
        var name: String
        var students: Set<String>
    }

    package init() {}

    /// Creates a roster of the rows of several files, of which a later one decides: whose a badge or phone is, and what
    /// a student is called.
    package init(_ files: [[RosterRow]]) {
        var owners: [SubjectIdentity: String] = [:]
        for row in files.reversed().joined() {
            if let subject = row.subject, owners[subject] == nil { owners[subject] = row.student }
        }
        for row in files.joined() {
            add(course: row.course, student: row.student, name: row.name)
            if let subject = row.subject, owners[subject] == row.student { add(subject, of: row.student) }
            students[row.student]?.note(erasedAt: row.erasedAt)
        }
    }

    package func student(_ id: String) -> Student? { students[id] }

    package func attends(_ student: String, course: String) -> Bool {
        courses[NameKey.of(course)]?.students.contains(student) ?? false
    }

    /// Returns the students of a course, by id.
    package func students(of course: String) -> [Student] {
        (courses[NameKey.of(course)]?.students ?? []).sorted().compactMap { students[$0] }
    }

    package func hasCourse(_ course: String) -> Bool { courses[NameKey.of(course)] != nil }

    /// Names of courses as first written, sorted.
    package var courseNames: [String] { courses.values.map(\.name).sorted() }

    package var studentCount: Int { students.count }

    /// Badges and phones of all students.
    package var subjects: Set<SubjectIdentity> { Set(students.values.flatMap(\.subjects)) }

    /// Returns the student with a badge or phone.
    package func student(with subject: SubjectIdentity) -> Student? {
        students.values.first { $0.subjects.contains(subject) }
    }

    /// Takes the courses of another roster in the place of its own. The other roster also decides whose a badge or
    /// phone is, and what a student is called.
    package mutating func replaceCourses(by other: Roster) {
        for (key, course) in other.courses { courses[key] = course }
        let taken = other.subjects
        for id in Array(students.keys) { students[id]?.subjects.removeAll { taken.contains($0) } }
        for student in other.students.values {
            var merged = students[student.id] ?? student
            merged.name = student.name ?? merged.name
            merged.note(erasedAt: student.erasedAt)
            merged.subjects = merged.subjects.filter { !taken.contains($0) } + student.subjects
            students[student.id] = merged
        }
        let attending = courses.values.reduce(into: Set<String>()) { $0.formUnion($1.students) }
        students = students.filter { attending.contains($0.key) }
    }

    package mutating func add(course: String, student: String, name: String?) {
        courses[NameKey.of(course), default: Course(name: course, students: [])].students.insert(student)
        students[student, default: Student(id: student, name: nil, subjects: [])].name = name ?? students[student]?.name
    }

    package mutating func add(_ subject: SubjectIdentity, of student: String) {
        guard students[student]?.subjects.contains(subject) == false else { return }
        students[student]?.subjects.append(subject)
    }
}
