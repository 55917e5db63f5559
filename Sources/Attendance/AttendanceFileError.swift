public import BeaconModel
public import OperatorText

/// Everything that is wrong in a timetable or a roster, at once.
public struct AttendanceFileError: OperatorError, Equatable {
    public var path: String
    public var problems: [ConfigurationProblem]

    public init(path: String, problems: [ConfigurationProblem]) {
        self.path = path
        self.problems = problems
    }

    public var what: String { ConfigurationProblem.list(problems, in: path) }
    public var meaning: String? { "nothing of the file was taken" }
    public var remedy: String? { "correct it where it comes from, and export it again" }
    public var exitStatus: ExitStatus { .data }
}
