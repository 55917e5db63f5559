import Attendance
import InteractionStore
import Pages

// All corrections, as the command `attendance corrections` lists them.
extension PageService {
    /// Number of corrections on a page.
    private static let mostCorrections = 100
    /// Number of corrections among which those of an account's courses are searched.
    private static let mostSearched = 10_000

    /// Lists the corrections at the courses that the account may see.
    func corrections(_ request: PageRequest) async throws -> PageAnswer {
        try await withAttendance(request) { access in
            let seesAll = access.courses == nil
            try await note(
                .sawAttendance, "", request, detail: "corrections of \(seesAll ? "all" : "their own") courses")
            let latest = try await api.work { try $0.latestCorrections(limit: Self.mostSearched) }
            let lectures = Dictionary(access.files.timetable.lectures.map { ($0.id, $0) }) { first, _ in first }
            let seen = latest.filter { correction in
                // Nobody knows whose course it is if the lecture is gone.
                lectures[correction.lecture].map { access.sees($0.course) } ?? seesAll
            }
            let first = max(0, min(request.query["from"].flatMap { Int($0) } ?? 0, seen.count))
            let shown = seen.dropFirst(first).prefix(Self.mostCorrections)
            let next = first + shown.count
            let path = PageRoute.corrections.path
            return page(
                CorrectionsPage(
                    request.frame("Corrections", route: .lectures), listPath: PageRoute.lectures.path,
                    extent: extent(of: seen.count, from: first, shown.count, of: latest.count, seesAll),
                    rows: shown.map { row($0, lectures[$0.lecture], access) },
                    latestPath: first > 0 ? path : nil,
                    olderPath: next < seen.count ? "\(path)?from=\(next)" : nil))
        }
    }

    private func extent(of count: Int, from first: Int, _ shown: Int, of searched: Int, _ seesAll: Bool) -> String {
        var text = OfficerText.count(count, "correction", "corrections")
        text += seesAll ? "." : " at your courses. Corrections of lectures that left the timetable are not listed."
        if shown < count, shown > 0 { text += " Shown: \(first + 1) to \(first + shown)." }
        if searched == Self.mostSearched { text += " Only the latest \(searched) of all courses are searched." }
        return text
    }

    private func row(_ correction: Correction, _ lecture: Lecture?, _ access: AttendanceAccess) -> CorrectionsPage.Row {
        // Lecturers do not learn who else is on the roster.
        let isShown =
            access.courses == nil
            || lecture.map { access.files.roster.attends(correction.student, course: $0.course) } ?? false
        let student = isShown ? access.files.roster.student(correction.student) : nil
        return CorrectionsPage.Row(
            lecture: lecture.map { "\($0.course), \(access.words.span($0.start, $0.end))" }
                ?? "not in the timetable: \(correction.lecture)",
            lecturePath: lecture?.path, student: student?.label ?? correction.student,
            number: student?.name == nil ? nil : correction.student, studentPath: student?.timelinePath,
            correction: AttendanceWords(words: access.words).correction(correction, of: lecture))
    }
}
