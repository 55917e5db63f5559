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
    }

    private var students: [String: Student] = [:]
    /// Courses by the key of their names.
    private var courses: [String: Course] = [:]

    struct Course: Equatable, Sendable {
        var name: String
        var students: Set<String>
    }

    package init() {}

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

    package mutating func add(course: String, student: String, name: String?) {
        courses[NameKey.of(course), default: Course(name: course, students: [])].students.insert(student)
        students[student, default: Student(id: student, name: nil, subjects: [])].name = name ?? students[student]?.name
    }

    package mutating func add(_ subject: SubjectIdentity, of student: String) {
        guard students[student]?.subjects.contains(subject) == false else { return }
        students[student]?.subjects.append(subject)
    }
}
