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
    /// The first mistakes.
    var problems: [ConfigurationProblem] = []
    /// Number of mistakes that are not listed.
    var others = 0
    var facts: [LabelledFact] = []
    var notes: [String] = []
    /// Upload that is saved if there are no mistakes.
    var uploads: [UploadedFile] = []
    /// Courses of the file as written, by their keys.
    var courses: [String: String] = [:]
    /// Lectures of the file, for the audit: their number, time and rooms.
    var lectures: [String] = []
    /// Students whom a lecturer takes from courses of others.
    var taken: [String] = []
    /// Badges and phones that are new for their students, each after the student's number.
    var given: [String] = []
    /// Timetable in the place of which the file comes, if courses lose theirs by that.
    var replacing: Replacing?
    /// Students who leave courses.
    var leaving: [Leaving] = []

    /// Maximum number of mistakes, and of notes, that are shown.
    private static let mostShown = 50

    init(_ file: String) { self.file = file }

    /// Facts against which the files are checked.
    struct Rules: Sendable {
        var access: AttendanceAccess
        var settings: AttendanceSettings
        var fixedBeacons: Set<SubjectIdentity>
        /// Courses of the account as the configuration has them, for messages.
        var ownCourses: [String]
        /// Name of the account that uploads.
        var by: String
        /// Maximum number of lectures in all uploaded timetables.
        var mostLectures = AttendanceFiles.mostLectures
        /// Maximum size of a roster as it is stored, in bytes.
        var longestRoster = RosterFile.longest

        /// Rule for courses that the account may not upload for.
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
        let (files, access) = (rules.access.files, rules.access)
        let taught = Set(files.timetable.lectures.map { NameKey.of($0.course) })
        let (lectured, listed) = (timetableCheck?.courses ?? [:], rosterCheck?.courses ?? [:])
        for (key, course) in lectured.sorted(by: { $0.key < $1.key })
        where access.sees(course) && !files.roster.hasCourse(course) && listed[key] == nil {
            timetableCheck?.notes.append("No roster has students of the course \(course.excerpt).")
        }
        for (key, course) in listed.sorted(by: { $0.key < $1.key })
        where access.sees(course) && !taught.contains(key) && lectured[key] == nil {
            rosterCheck?.notes.append("No timetable has lectures of the course \(course.excerpt).")
        }
        return [timetableCheck, rosterCheck].compactMap(\.self)
    }

    /// Takes over the mistakes of a file that cannot be read.
    mutating func take(_ error: AttendanceFileError) {
        problems += error.problems
        others += error.others
    }

    mutating func report(_ location: String, _ found: String, _ allowed: String) {
        guard problems.count < Self.mostShown else {
            others += 1
            return
        }
        problems.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
    }

    /// Findings of the check, for the page.
    var review: UploadReview {
        let others = max(0, problems.count - Self.mostShown) + self.others
        var shown = Array(notes.prefix(Self.mostShown))
        if notes.count > shown.count { shown.append("Not listed: \(notes.count - shown.count) more.") }
        var leaves = [replacing?.sentence].compactMap(\.self) + leaving.prefix(Self.mostShown).map(\.sentence)
        let more = leaving.dropFirst(Self.mostShown)
        if !more.isEmpty {
            let students = more.reduce(0) { $0 + $1.students.count }
            leaves.append("Not listed: \(Self.count(students, "student")) of \(Self.count(more.count, "more course")).")
        }
        return UploadReview(
            file: file, mistakes: problems.prefix(Self.mostShown).map(\.description.asSentence),
            others: others > 0 ? "Not listed: \(others) more." : nil, facts: facts, leaves: leaves, notes: shown)
    }

    /// Detail of the upload for the audit. A lecturer learns the names of students of other courses, and when students
    /// are in the rooms of the own lectures, whatever badge the roster gives them: so it says whose, by which badges, in
    /// which rooms and when. It also says whose attendance, and which courses' lectures, are not shown any more.
    var audited: String {
        let gone = Set(leaving.flatMap(\.students).map(\.id)).sorted()
        let parts: [String?] = [
            Self.list(courses.values.sorted()),
            lectures.isEmpty ? nil : lectures.joined(separator: "; "),
            taken.isEmpty ? nil : "from courses of others: \(Self.list(taken, upTo: Self.mostAudited))",
            given.isEmpty ? nil : "badges and phones: \(Self.list(given, upTo: Self.mostAudited))",
            gone.isEmpty ? nil : "leaving: \(Self.list(gone, upTo: Self.mostAudited))",
            replacing.map { "without lectures any more: \(Self.list($0.courses, upTo: Self.mostAudited))" },
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }

    /// Maximum number of names of one kind in the audit.
    static let mostAudited = 200

    /// Returns a list of names for display.
    static func list(_ names: [String], upTo most: Int = 20) -> String {
        let shown = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(names.count - most) more" : shown
    }
}
