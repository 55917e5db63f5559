/// Reason why no attendance can be shown: a damaged timetable or roster.
package struct AttendanceTrouble: Equatable, Sendable {
    /// Event or problem, in a sentence.
    package var what: String
    /// Problems with file and line.
    package var problems: [String]
    /// Number of further problems, in words; `nil` if all are listed.
    package var others: String?
    /// Remedy, in a sentence.
    package var remedy: String

    package init(what: String, problems: [String], others: String?, remedy: String) {
        self.what = what
        self.problems = problems
        self.others = others
        self.remedy = remedy
    }
}
