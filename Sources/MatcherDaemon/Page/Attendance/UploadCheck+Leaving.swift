import Attendance
import Crypto
import OperatorText
import Pages

extension UploadCheck {
    /// Students whom an uploaded roster does not have any more, by course.
    struct Leaving: Equatable, Sendable {
        /// Name of the course as the uploaded roster writes it.
        var course: String
        var students: [Roster.Student]

        /// Maximum number of students that are named.
        private static let mostNamed = 20

        /// Who leaves, and what that means, in a sentence.
        var sentence: String {
            let names = students.map { student in student.name.map { "\($0) (\(student.id))" } ?? student.id }
            let isOne = students.count == 1
            return "\(UploadCheck.count(students.count, "student")) \(isOne ? "leaves" : "leave") the course "
                + "\(course.excerpt): \(isOne ? "the" : "their") attendance at its past lectures is not shown any more: "
                + UploadCheck.list(names, upTo: Self.mostNamed) + "."
        }
    }

    /// Finds the students who are in a course now, and not in the rows of an uploaded roster.
    static func leaving(_ rows: [RosterRow], _ courses: [String: String], _ access: AttendanceAccess) -> [Leaving] {
        let staying = Dictionary(grouping: rows) { NameKey.of($0.course) }.mapValues { Set($0.map(\.student)) }
        return courses.sorted { $0.key < $1.key }.compactMap { key, course in
            // What is in courses of others is not told.
            guard access.sees(course) else { return nil }
            let students = access.files.roster.students(of: course).filter { staying[key]?.contains($0.id) != true }
            return students.isEmpty ? nil : Leaving(course: course, students: students)
        }
    }

    /// Value of the field that agrees to who leaves; `nil` if nobody does. It holds for exactly these students, so that
    /// another file is asked about again.
    static func consent(_ checks: [UploadCheck]) -> String? {
        let leaving = checks.flatMap(\.leaving)
        if leaving.isEmpty { return nil }
        // No name has a line break.
        let text = leaving.map { ([NameKey.of($0.course)] + $0.students.map(\.id)).joined(separator: "\n") }
        let hash = SHA256.hash(data: Array(text.joined(separator: "\n\n").utf8))
        return HexadecimalText.of(hash.prefix(8))
    }
}
