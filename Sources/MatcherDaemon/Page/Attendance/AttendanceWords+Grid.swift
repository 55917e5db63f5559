import Attendance
import Pages

extension AttendanceWords {
    /// Maximum number of lectures in the table: more would be too wide to read, and too large for a phone.
    static let mostColumns = 10

    /// Returns the table of the latest lectures of a course; `nil` if none has ended.
    ///
    /// - Parameters:
    ///   - entries: entries of lectures that have ended, by lecture.
    ///   - students: the rows, in their order.
    func grid(_ entries: [AttendanceEntry], of students: [Roster.Student]) -> AttendanceGrid? {
        var lectures: [Lecture] = []
        var found: [String: [String: StatusWord]] = [:]
        for entry in entries {
            if lectures.last?.id != entry.lecture.id { lectures.append(entry.lecture) }
            found[entry.lecture.id, default: [:]][entry.student.id] = Self.word(entry.status)
        }
        if lectures.isEmpty { return nil }
        let shown = lectures.suffix(Self.mostColumns).map { (id: $0.id, time: words.time($0.start), path: $0.path) }
        let extent =
            shown.count < lectures.count
            ? "The latest \(shown.count) of \(lectures.count) lectures." : "All lectures that have ended."
        return AttendanceGrid(
            extent: extent, columns: shown.map { AttendanceGrid.Column($0.time, path: $0.path) },
            students: students.map { student in
                AttendanceGrid.Student(
                    student.label, number: student.furtherNumber, path: student.timelinePath,
                    cells: shown.map { .init(column: $0.time, status: found[$0.id]?[student.id]) })
            })
    }
}
