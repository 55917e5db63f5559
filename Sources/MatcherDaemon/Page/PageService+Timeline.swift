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
        try await withDesk(request) { desk in
            let id = request.query["student"] ?? ""
            let roster = desk.files.roster
            guard let student = roster.student(id),
                roster.courseNames.contains(where: { desk.sees($0) && roster.attends(id, course: $0) })
            else {
                // Lecturers do not learn who else is on the roster.
                throw desk.courses == nil ? PageError.noStudent : PageError.notAllowed
            }
            let lectures = desk.files.timetable.lectures(from: desk.search.oldest, to: desk.now).filter {
                $0.end <= desk.now && desk.sees($0.course) && roster.attends(id, course: $0.course)
            }
            try await note(.sawAttendance, id, request, detail: "all lectures of the student")
            let entries = try await entries(
                of: Array(lectures.suffix(Self.mostOfStudent)), student: id, by: desk.search)
            return page(content(of: student, entries, lectures.count, desk, request))
        }
    }

    private func content(
        of student: Roster.Student, _ entries: [AttendanceEntry], _ count: Int, _ desk: AttendanceDesk,
        _ request: PageRequest
    ) -> TimelinePage {
        let report = AttendanceReport(entries, now: desk.now)
        let words = AttendanceWords(words: desk.words)
        let byDay = Dictionary(grouping: report.entries) { configuration.days.day(of: $0.lecture.start) }
        let days = byDay.sorted { $0.key > $1.key }.map { day, entries in
            TimelinePage.Day(
                desk.words.day(day),
                lectures: entries.map { entry in
                    let remarks = [words.checkIn(entry), words.latestCorrection(entry)].compactMap(\.self)
                    let lecture = entry.lecture
                    return TimelinePage.Lecture(
                        course: lecture.course,
                        clock: "\(desk.words.clock(lecture.start)) to \(desk.words.clock(lecture.end))",
                        room: lecture.roomText, path: lecture.path, status: words.status(entry, now: desk.now),
                        reasons: words.reasons(entry, now: desk.now) + remarks)
                })
        }
        return TimelinePage(
            request.frame("Attendance of \(student.label)", route: .lectures), student: student.label,
            number: student.name == nil ? nil : student.id,
            span: "Lectures since \(desk.words.day(of: desk.search.oldest))"
                + (desk.courses == nil ? "." : ", of your courses only."),
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
