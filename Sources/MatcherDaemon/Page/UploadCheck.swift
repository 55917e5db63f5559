import Attendance
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import Timetables

/// Check of an uploaded timetable or roster, before it is saved.
struct UploadCheck: Sendable {
    /// Name of the file for display.
    var file: String
    var problems: [ConfigurationProblem] = []
    var facts: [UploadReview.Fact] = []
    var notes: [String] = []
    /// What is saved if nothing is wrong.
    var uploads: [UploadedFile] = []
    /// Courses of the file as written, by their keys.
    var courses: [String: String] = [:]

    /// Maximum number of mistakes, and of notes, that are shown.
    private static let mostShown = 50

    init(_ file: String) { self.file = file }

    /// What the files are checked against.
    struct Rules: Sendable {
        var desk: AttendanceDesk
        var settings: AttendanceSettings
        var fixedBeacons: Set<SubjectIdentity>
        /// Courses of the account as the configuration has them, for messages.
        var ownCourses: [String]
        /// Name of the account that uploads.
        var by: String

        /// What a course must be that the account may not upload for.
        var ownForm: String {
            ownCourses.isEmpty
                ? "must be one of your courses, of which none is listed"
                : "must be one of your courses: " + ownCourses.prefix(20).joined(separator: ", ")
        }
    }

    /// Checks the files of a form.
    ///
    /// - Parameters:
    ///   - timetable: an iCalendar file, and the name under which it is kept; without a name, that of the file.
    ///   - roster: a CSV file.
    static func checks(
        timetable: (file: MultipartForm.File, name: String)?, roster: MultipartForm.File?, _ rules: Rules
    ) -> [UploadCheck] {
        var timetableCheck = timetable.map { self.timetable($0.file, name: $0.name, rules) }
        var rosterCheck = roster.map { self.roster($0, rules) }
        let (files, desk) = (rules.desk.files, rules.desk)
        let taught = Set(files.timetable.lectures.map { NameKey.of($0.course) })
        let (lectured, listed) = (timetableCheck?.courses ?? [:], rosterCheck?.courses ?? [:])
        for (key, course) in lectured.sorted(by: { $0.key < $1.key })
        where desk.sees(course) && !files.roster.hasCourse(course) && listed[key] == nil {
            timetableCheck?.notes.append("No roster has students of the course \(course.excerpt).")
        }
        for (key, course) in listed.sorted(by: { $0.key < $1.key })
        where desk.sees(course) && !taught.contains(key) && lectured[key] == nil {
            rosterCheck?.notes.append("No timetable has lectures of the course \(course.excerpt).")
        }
        return [timetableCheck, rosterCheck].compactMap(\.self)
    }

    mutating func report(_ location: String, _ found: String, _ allowed: String) {
        problems.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
    }

    /// What the check found, for the page.
    var review: UploadReview {
        let others = problems.count - Self.mostShown
        var shown = Array(notes.prefix(Self.mostShown))
        if notes.count > shown.count { shown.append("\(notes.count - shown.count) more are not listed.") }
        return UploadReview(
            file: file, mistakes: problems.prefix(Self.mostShown).map { AttendanceWords.sentence($0.description) },
            others: others > 0 ? "There are \(others) more." : nil, facts: facts, notes: shown)
    }

    /// Returns a list of names for display.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }
}
