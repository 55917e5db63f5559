import Attendance
import HTTPTypes
import InteractionStore
import OperatorText
import Pages

// The attendance of one student.
extension PageService {
    /// Maximum number of lectures of a timeline.
    private static let mostOfStudent = 200

    /// Shows a student's attendance, for lecturers at their own courses.
    func timeline(_ request: PageRequest) async throws -> PageAnswer {
        try await withAttendance(request) { access in
            let id = request.query["student"] ?? ""
            let roster = access.files.roster
            guard let student = roster.student(id),
                roster.courseNames.contains(where: { access.sees($0) && roster.attends(id, course: $0) })
            else {
                // Lecturers do not learn who else is on the roster.
                throw access.courses == nil ? PageError.noStudent : PageError.notAllowed
            }
            let lectures = access.files.timetable.lectures.filter {
                $0.end <= access.now && access.sees($0.course) && roster.attends(id, course: $0.course)
            }
            try await note(.sawAttendance, id, request, detail: "all lectures of the student")
            let entries = try await entries(
                of: Array(lectures.suffix(Self.mostOfStudent)), student: id, by: access.search)
            return page(content(of: student, entries, lectures.count, access, request))
        }
    }

    private func content(
        of student: Roster.Student, _ entries: [AttendanceEntry], _ count: Int, _ access: AttendanceAccess,
        _ request: PageRequest
    ) -> TimelinePage {
        let first = entries.first?.lecture.start
        let report = AttendanceReport(entries, now: access.now)
        let words = AttendanceWords(words: access.words)
        let byDay = Dictionary(grouping: report.entries) { configuration.days.day(of: $0.lecture.start) }
        let days = byDay.sorted { $0.key > $1.key }.map { day, entries in
            TimelinePage.Day(
                access.words.day(day),
                lectures: entries.map { entry in
                    let remarks = [words.checkIn(entry), words.latestCorrection(entry)].compactMap(\.self)
                    let lecture = entry.lecture
                    return TimelinePage.Lecture(
                        course: lecture.course,
                        clock: "\(access.words.clock(lecture.start)) to \(access.words.clock(lecture.end))",
                        room: lecture.roomText, path: lecture.path, status: words.status(entry, now: access.now),
                        reasons: words.reasons(entry, now: access.now) + remarks)
                })
        }
        return TimelinePage(
            request.frame("Attendance of \(student.label)", route: .lectures), student: student.label,
            number: student.name == nil ? nil : student.id,
            span: (first.map { "Lectures since \(access.words.day(of: $0))" } ?? "Lectures that have ended")
                + (access.courses == nil ? "." : ", of your courses only."),
            more: count > entries.count ? "Only the latest \(entries.count) lectures are shown and counted." : nil,
            totals: report.students.map { AttendanceWords.total($0.tally, label: $0.course) }, days: days,
            listPath: PageRoute.lectures.path)
    }
}

extension PageError {
    static let noStudent = Self(
        .notFound, "Student not found", "The roster has no student with this number.",
        "Open a lecture, and choose a student there.")
}
