/// Number of lectures attended, and the number that count.
package struct AttendanceTally: Equatable, Sendable {
    package var attended = 0
    /// Number of lectures that count: those with a known attendance that were not excused.
    package var held = 0
    package var late = 0
    package var leftEarly = 0
    package var excused = 0
    package var unknown = 0

    package init() {}

    package mutating func add(_ status: AttendanceStatus) {
        if status.isAttended { attended += 1 }
        if status.counts { held += 1 }
        if status == .late || status == .lateAndLeftEarly { late += 1 }
        if status == .leftEarly || status == .lateAndLeftEarly { leftEarly += 1 }
        if status == .excused { excused += 1 }
        if status == .unknown { unknown += 1 }
    }

    /// Share of attended lectures, 0 to 100; `nil` when no lecture counts.
    package var percent: Double? { held > 0 ? Double(attended) * 100 / Double(held) : nil }
}

/// Attendance entries with their totals.
package struct AttendanceReport: Equatable, Sendable {
    /// Entries by lecture, then by student.
    package private(set) var entries: [AttendanceEntry]
    /// Totals by the course's name.
    package private(set) var courses: [Total]
    /// Totals by course and student.
    package private(set) var students: [Total]

    package struct Total: Equatable, Sendable {
        package var course: String
        /// Student; `nil` for all students of the course together.
        package var student: Roster.Student?
        package var tally: AttendanceTally
    }

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - entries: entries of lectures, whether these are over or not.
    ///   - now: seconds since 1970; lectures that end later do not count and are left out.
    package init(_ entries: [AttendanceEntry], now: Int64) {
        self.entries = entries.filter { $0.lecture.end <= now }.sorted {
            ($0.lecture.start, $0.lecture.id, $0.student.id) < ($1.lecture.start, $1.lecture.id, $1.student.id)
        }
        var byCourse: [String: Total] = [:]
        var byStudent: [[String]: Total] = [:]
        for entry in self.entries {
            let course = NameKey.of(entry.lecture.course)
            let total = Total(course: entry.lecture.course, student: nil, tally: AttendanceTally())
            byCourse[course, default: total].tally.add(entry.status)
            let own = Total(course: entry.lecture.course, student: entry.student, tally: AttendanceTally())
            byStudent[[course, entry.student.id], default: own].tally.add(entry.status)
        }
        courses = byCourse.sorted { $0.key < $1.key }.map(\.value)
        students = byStudent.sorted { ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1]) }.map(\.value)
    }
}
