import Attendance
import HTTPTypes
import InteractionStore
import OperatorText
import Pages
import SignIn
import SystemIO

// The list of lectures, and the students of a course.
extension PageService {
    private static let day: Int64 = 86_400
    private static let daysBack: Int64 = 14
    private static let daysAhead: Int64 = 7
    /// Maximum number of lectures in a list.
    private static let mostLectures = 100
    /// Maximum number of past lectures of a course in a list.
    private static let mostPast = 30
    /// Maximum number of entries of which percentages are made.
    private static let mostEntries = 50_000
    /// Maximum number of students on a page. Each is in two tables, with up to 2 kB: a page has at most 60 kB or so.
    private static let mostStudents = 30

    /// Shows the lectures of some weeks, and the students of a course.
    func lectures(_ request: PageRequest) async throws -> PageAnswer {
        try await withAttendance(request) { access in
            let names = access.courseNames
            let asked = request.query["course"].flatMap { $0.isEmpty ? nil : $0 }
            if let asked, !access.sees(asked) { throw PageError.notAllowed }
            let chosen = asked.flatMap { asked in names.first { NameKey.of($0) == NameKey.of(asked) } }
            var content = LecturesPage(request.frame("Attendance", route: .lectures))
            if names.isEmpty {
                content.nothing =
                    access.courses?.isEmpty != true
                    ? "There are no lectures yet. Upload a timetable and a roster under Timetable and roster."
                    : "No course is listed for your account. The person who runs this service lists your courses in "
                        + "[[lecturers]] of the configuration, under your staff number, or under your account where "
                        + "there are no numbers."
                return page(content)
            }
            content.filter = LecturesPage.Filter(
                courses: names.map { LecturesPage.Course($0, isChosen: $0 == chosen) }, chosen: chosen)
            guard asked == nil || chosen != nil else {
                content.nothing = "There is no course with this name. Choose one from the list."
                return page(content, status: .notFound)
            }
            if let chosen {
                if request.query["students"] != nil {
                    content.students = try await students(of: chosen, access, request)
                } else {
                    content.studentsPath = Self.studentsPath(of: chosen)
                }
            } else if request.query["students"] != nil {
                content.hint = "Choose a course to see its students."
            }
            let place = request.query["past"].flatMap { Int($0) } ?? 0
            content.lists = lists(of: chosen, from: place, access)
            return page(content)
        }
    }

    /// Returns what comes and what is over: without a course the lectures of the last days, otherwise all, in parts.
    ///
    /// - Parameter place: place of the first past lecture of the course that is shown.
    private func lists(
        of course: String?, from place: Int, _ access: AttendanceAccess
    ) -> [LecturesPage.LectureList] {
        let key = course.map(NameKey.of)
        let lectures = access.files.timetable.lectures.filter { lecture in
            lecture.start < access.now + Self.daysAhead * Self.day
                && key.map { NameKey.of(lecture.course) == $0 } ?? access.sees(lecture.course)
        }
        let coming = lectures.filter { $0.end > access.now }
        let ended = Array(lectures.filter { $0.end <= access.now }.reversed())
        let next = list("Now and next", "Lectures in the next \(Self.daysAhead) days", coming, access)
        guard let course else {
            let recent = ended.filter { $0.end > access.now - Self.daysBack * Self.day }
            return [next, list("Past", "Lectures in the last \(Self.daysBack) days, the latest first", recent, access)]
        }
        let first = max(0, min(place, ended.count))
        let shown = Array(ended.dropFirst(first).prefix(Self.mostPast))
        var past = list("Past", "Lectures that have ended, the latest first", shown, access)
        let last = first + shown.count
        if shown.count < ended.count {
            past.more = shown.isEmpty ? nil : "Lectures \(first + 1) to \(last) of \(ended.count)."
        }
        if last < ended.count { past.olderPath = PageRoute.lectures.path(["course": course, "past": "\(last)"]) }
        return [next, past]
    }

    private func list(
        _ heading: String, _ caption: String, _ lectures: [Lecture], _ access: AttendanceAccess
    ) -> LecturesPage.LectureList {
        LecturesPage.LectureList(
            heading: heading, caption: lectures.isEmpty ? "\(caption): none" : caption,
            rows: lectures.prefix(Self.mostLectures).map { lecture in
                LecturesPage.LectureRow(
                    when: access.words.span(lecture.start, lecture.end), course: lecture.course,
                    title: lecture.ownTitle, room: lecture.roomText, path: lecture.path)
            },
            more: lectures.count > Self.mostLectures
                ? "Not shown: \(lectures.count - Self.mostLectures) more. Choose a course." : nil)
    }

    /// Returns which lectures are counted, in sentences.
    private static func span(_ lectures: [Lecture], of ended: [Lecture], _ words: DayWords) -> String {
        guard let first = lectures.first else { return "No lecture has ended yet." }
        let count = OfficerText.count(lectures.count, "lecture", "lectures")
        let others = ended.count - lectures.count
        return "\(count) since \(words.day(of: first.start))."
            + (others > 0 ? " Not counted: \(OfficerText.count(others, "lecture", "lectures")) before." : "")
    }

    private static func studentsPath(of course: String) -> String {
        PageRoute.lectures.path(["course": course, "students": "yes"])
    }

    /// Returns students of a course with their percentages: the part of the list that is asked for.
    private func students(
        of course: String, _ access: AttendanceAccess, _ request: PageRequest
    ) async throws -> LecturesPage.Students {
        let account = try request.account()
        // Each request takes a second of processor time for a large course.
        let asker = "page \(account.key)"
        guard api.attendanceAskers.withLock({ $0.insert(asker).inserted }) else { throw PageError.stillCounting }
        defer { api.attendanceAskers.withLock { _ = $0.remove(asker) } }
        let listed = access.files.roster.students(of: course).inNameOrder
        let ended = access.files.timetable.lectures.filter {
            $0.end <= access.now && NameKey.of($0.course) == NameKey.of(course)
        }
        let lectures = Array(ended.suffix(max(1, Self.mostEntries / max(1, listed.count))))
        guard !access.search.hasMore(than: Self.mostEntries, of: lectures) else {
            throw PageError.invalid(
                "The course has too many lectures and students for one page.",
                "Use the command beacon-matcher attendance report with --from and --to.")
        }
        let part = StudentPart(asked: request.query["from"], of: listed.count, most: Self.mostStudents)
        try await note(.sawAttendance, course, request, detail: "percentages of \(part.words)")
        let report = AttendanceReport(try await entries(of: lectures, by: access.search), now: access.now)
        let totals = Dictionary(report.students.map { ($0.student?.id ?? "", $0.tally) }) { first, _ in first }
        let shown = Array(listed[part.range])
        let rows = shown.map { student in
            AttendanceWords.total(
                totals[student.id] ?? AttendanceTally(), label: student.label,
                number: student.furtherNumber, path: student.timelinePath)
        }
        func path(_ place: Int) -> String { "\(Self.studentsPath(of: course))&from=\(place)" }
        return LecturesPage.Students(
            course: course, span: Self.span(lectures, of: ended, access.words), rows: rows,
            all: report.courses.first.map { AttendanceWords.total($0.tally, label: "All students") },
            grid: AttendanceWords(words: access.words).grid(report.entries, of: shown),
            part: part.extent, previousPath: part.previous.map(path), nextPath: part.next.map(path))
    }
}

extension [Roster.Student] {
    /// The students by name, then by number.
    var inNameOrder: [Roster.Student] { sorted { ($0.label.lowercased(), $0.id) < ($1.label.lowercased(), $1.id) } }
}

extension PageError {
    static let stillCounting = Self(
        .tooManyRequests, "Still counting", "Your last request for percentages is still being answered.",
        "Wait a moment, and try again.", retryAfter: 5)
}
