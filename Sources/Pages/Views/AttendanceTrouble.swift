/// Why there is no attendance to show: a timetable or roster that is damaged.
package struct AttendanceTrouble: Equatable, Sendable {
    /// What happened, in a sentence.
    package var what: String
    /// Problems with file and line.
    package var problems: [String]
    /// Number of further problems, in words; `nil` if all are listed.
    package var others: String?
    /// What to do, in a sentence.
    package var remedy: String

    package init(what: String, problems: [String], others: String?, remedy: String) {
        self.what = what
        self.problems = problems
        self.others = others
        self.remedy = remedy
    }
}
