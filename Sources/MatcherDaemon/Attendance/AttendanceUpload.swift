import Attendance
package import InteractionStore
import Timetables

/// An uploaded timetable or roster, and what it has.
package struct AttendanceUpload: Equatable, Sendable {
    package var kind: UploadedFile.Kind
    /// Name of a timetable, or key of a roster's course.
    package var name: String
    /// Name of the account that uploaded it.
    package var by: String
    /// Seconds since 1970.
    package var at: Int64
    /// Courses as written, sorted.
    package var courses: [String]
    package var lectures = 0
    /// Start of the first and of the last lecture, in seconds since 1970.
    package var first: Int64?
    package var last: Int64?
    package var students = 0
    /// Number of events or courses that another file has too, and that this one decides about.
    package var replaced: Int
    /// Whether the contents are known.
    var isRead = true

    /// Creates the description of a timetable.
    ///
    /// - Parameter courses: its courses; `nil`: those of the lectures.
    init(_ file: UploadedFile, lectures: [Lecture], courses: [String]? = nil) {
        self.init(file, courses: courses ?? Set(lectures.map(\.course)).sorted(), replaced: 0)
        self.lectures = lectures.count
        first = lectures.map(\.start).min()
        last = lectures.map(\.start).max()
    }

    init(_ file: UploadedFile, rows: [RosterRow], replaced: Int) {
        self.init(file, courses: rows.first.map { [$0.course] } ?? [], replaced: replaced)
        students = Set(rows.map(\.student)).count
    }

    /// Creates the description of a file that cannot be read.
    ///
    /// - Parameter courses: courses that it had when it was uploaded.
    init(unread file: UploadedFile, courses: [String] = []) {
        self.init(file, courses: courses, replaced: 0)
        isRead = false
    }

    /// Returns the courses that an uploaded file had when it was uploaded. They are also known of a timetable that has
    /// no lectures now, or that cannot be read now because its repetitions have become too many.
    static func courses(of file: UploadedFile, _ settings: AttendanceSettings) -> [String] {
        // A roster is kept for each course, under its key.
        if file.kind == .roster { return [file.name] }
        let timetable = try? Timetable.parse(
            Array(file.content.utf8), file: file.name, zone: settings.zone, course: settings.course,
            span: AttendanceFiles.span(file.at))
        return Set((timetable?.lectures ?? []).map(\.course)).sorted()
    }

    private init(_ file: UploadedFile, courses: [String], replaced: Int) {
        kind = file.kind
        name = file.name
        by = file.by
        at = file.at
        self.courses = courses
        self.replaced = replaced
    }

    /// Whether an account may replace or remove the upload: all courses in it are the account's.
    ///
    /// - Parameter courses: keys of the account's courses; `nil` for an account that may change all.
    func isWithin(_ courses: Set<String>?) -> Bool {
        guard let courses else { return true }
        return !self.courses.isEmpty && self.courses.allSatisfy { courses.contains(NameKey.of($0)) }
    }

    /// Returns the name of an uploaded file for messages.
    static func label(of file: UploadedFile) -> String {
        file.kind == .roster ? "uploaded roster of \(file.name)" : "uploaded timetable \(file.name)"
    }
}
