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

    /// Uploaded timetable that is replaced, with the courses that the new file does not have any more.
    struct Replacing: Equatable, Sendable {
        /// Name of the timetable.
        var name: String
        /// Name of the account that uploaded it.
        var by: String
        var courses: [String]

        /// Sentence on the courses that lose their timetable.
        var sentence: String {
            let isOne = courses.count == 1
            return "The timetable \(name.excerpt) that \(by) uploaded is replaced, and the new one does not have the "
                + "\(isOne ? "course" : "courses") \(UploadCheck.list(courses)): the lectures of "
                + "\(isOne ? "this course" : "these courses") in it are not shown any more."
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

    /// Value of the field that agrees to who leaves, and to which courses lose their timetable; `nil` if nobody leaves
    /// and nothing is lost. It holds for exactly these, so that another file is asked about again.
    static func consent(_ checks: [UploadCheck]) -> String? {
        let leaving = checks.flatMap(\.leaving)
        let replacing = checks.compactMap(\.replacing)
        if leaving.isEmpty, replacing.isEmpty { return nil }
        // No name has a line break.
        let text =
            leaving.map { ([NameKey.of($0.course)] + $0.students.map(\.id)).joined(separator: "\n") }
            + replacing.map { ($0.courses + [$0.name, "timetable"]).joined(separator: "\n") }
        let hash = SHA256.hash(data: Array(text.joined(separator: "\n\n").utf8))
        return HexadecimalText.of(hash.prefix(8))
    }

    /// Returns why files are not saved without consent, and what can be done instead of it.
    static func question(_ checks: [UploadCheck]) -> String {
        let leave = checks.contains { !$0.leaving.isEmpty }
        let lose = checks.contains { $0.replacing != nil }
        let reasons = [
            leave ? "students would leave a course" : nil,
            lose ? "a timetable of other courses would be replaced" : nil,
        ].compactMap(\.self)
        let remedies = [
            leave ? "add these students to the roster" : nil, lose ? "give the timetable another name" : nil,
        ].compactMap(\.self)
        return "Nothing was saved yet, because \(reasons.joined(separator: ", and ")). If that is right, choose the "
            + "files again, mark that you know it, and press Upload. Otherwise \(remedies.joined(separator: ", and "))."
    }
}
