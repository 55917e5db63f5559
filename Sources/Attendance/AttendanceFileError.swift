package import BeaconModel
package import OperatorText

/// Error that lists all problems of a timetable or a roster.
package struct AttendanceFileError: OperatorError, Equatable {
    package var path: String
    package var problems: [ConfigurationProblem]

    package init(path: String, problems: [ConfigurationProblem]) {
        self.path = path
        self.problems = problems
    }

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "the file was not used" }
    package var remedy: String? { "fix the source data and export it again" }
    package var exitStatus: ExitStatus { .data }
}
