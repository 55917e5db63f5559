import Attendance
import HTTPTypes
import InteractionStore
import OperatorText
import Pages
import SignIn

// What the screens of attendance have in common; each screen has a file of its own.
extension PageService {
    /// Number of lectures in one store access. Other users of the store wait some milliseconds for it.
    private static let lecturesAtOnce = 10

    /// Answers with timetable and roster, as far as the account may see them; with their problems if they are damaged.
    func withAttendance(
        _ request: PageRequest, _ body: (AttendanceAccess) async throws -> PageAnswer
    ) async throws -> PageAnswer {
        let account = try request.account()
        guard let attendance = configuration.attendance else { throw PageError.noAttendance }
        let files: AttendanceFiles
        do {
            files = try await api.files(attendance, now: request.now)
        } catch let error as AttendanceFileError {
            let trouble = AttendanceTrouble(error, showsContents: account.roles.contains(.officer))
            return page(
                LecturesPage(request.frame("Attendance", route: .lectures), trouble: trouble),
                status: .serviceUnavailable
            ).retrying(after: 60)
        }
        return try await body(
            AttendanceAccess(
                files: files, search: AttendanceSearch(configuration, attendance, files, now: request.now),
                words: DayWords(days: configuration.days), courses: courses(of: account), now: request.now))
    }

    /// Returns the keys of the courses that an account may see; `nil` if it may see all.
    func courses(of account: Account) -> Set<String>? {
        if account.roles.contains(.officer) { return nil }
        return Set(settings.courses(of: account).map(NameKey.of))
    }

    /// Returns the attendance of lectures, some lectures at a time.
    ///
    /// - Parameter student: only this student.
    /// - Throws: `StoreError`.
    func entries(
        of lectures: [Lecture], student: String? = nil, by search: AttendanceSearch
    ) async throws -> [AttendanceEntry] {
        var entries: [AttendanceEntry] = []
        for first in stride(from: 0, to: lectures.count, by: Self.lecturesAtOnce) {
            let some = Array(lectures[first..<min(first + Self.lecturesAtOnce, lectures.count)])
            entries += try await api.work { try search.entries(of: some, student: student, in: $0) }
        }
        return entries
    }
}

/// Timetable and roster, as far as an account may see them.
struct AttendanceAccess: Sendable {
    var files: AttendanceFiles
    var search: AttendanceSearch
    var words: DayWords
    /// Keys of the courses that the account may see; `nil`: all.
    var courses: Set<String>?
    /// Seconds since 1970.
    var now: Int64

    func sees(_ course: String) -> Bool { courses?.contains(NameKey.of(course)) ?? true }

    /// Courses of timetable and roster that the account may see, sorted, each under one name.
    var courseNames: [String] {
        let names = files.roster.courseNames + Set(files.timetable.lectures.map(\.course)).sorted()
        let byKey = Dictionary(names.map { (NameKey.of($0), $0) }) { first, _ in first }
        return byKey.filter { courses?.contains($0.key) ?? true }.values.sorted()
    }

    /// Returns a lecture that the account may see.
    ///
    /// - Throws: `PageError` if there is none, or if it is another lecturer's.
    func lecture(_ id: String?) throws(PageError) -> Lecture {
        guard let lecture = id.flatMap({ files.timetable.lecture($0) }) else { throw .noLecture }
        guard sees(lecture.course) else { throw .notAllowed }
        return lecture
    }
}

extension AttendanceTrouble {
    /// Maximum number of problems that are listed: a file can have one in each row.
    private static let most = 50

    /// Describes damaged files.
    ///
    /// - Parameter showsContents: whether what the files contain is quoted: the lines may be about courses of others.
    init(_ error: AttendanceFileError, showsContents: Bool) {
        let problems = error.problems.prefix(Self.most).map { problem in
            let path = problem.file ?? error.path
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let location = problem.location.isEmpty ? "damaged" : problem.location
            return file.shown(upTo: 255) + ": " + (showsContents ? problem.description : location.shown(upTo: 255))
        }
        let others = error.problems.count - problems.count + error.others
        self.init(
            what: "The timetable or the roster is damaged, so no attendance can be shown.", problems: problems,
            others: others > 0 ? "Not listed: \(others) more." : nil,
            remedy: "Correct the source data at these places, and export it again. The files are read again within "
                + "a minute. An upload is replaced or removed under Timetable and roster.")
    }
}

extension PageError {
    static let noAttendance = Self(
        .notFound, "No attendance", "This service keeps no attendance: its configuration has no table [attendance].",
        "The person who runs the service adds [attendance] to the configuration of beacon-matcher, with "
            + "timetable-files and roster-file unless they are uploaded here.")

    static let noLecture = Self(
        .notFound, "Lecture not found",
        "The timetable has no such lecture. It may have been removed, or it may be too long ago.",
        "Open the list of lectures, and choose one there.")
}
