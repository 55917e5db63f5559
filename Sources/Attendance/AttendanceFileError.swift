package import BeaconModel
package import OperatorText

/// Error that lists the problems of a timetable or a roster.
package struct AttendanceFileError: OperatorError, Equatable {
    package var path: String
    /// The first problems of each file, in the order in which they were found.
    package var problems: [ConfigurationProblem]
    /// Number of problems that are not listed.
    package var others: Int

    package init(path: String, problems: [ConfigurationProblem], others: Int = 0) {
        self.path = path
        self.problems = problems
        self.others = others
    }

    package var what: String { ConfigurationProblem.list(problems, in: path, others: others) }
    package var meaning: String? { "the file was not used" }
    package var remedy: String? { "fix the source data and export it again" }
    package var exitStatus: ExitStatus { .data }
}
