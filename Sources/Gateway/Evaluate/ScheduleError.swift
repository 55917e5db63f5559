import BeaconModel
import OperatorText
import SystemIO

/// Everything that is wrong in a schedule, at once.
struct ScheduleError: OperatorError, Equatable {
    var path: String
    var problems: [ConfigurationProblem]

    var what: String { ConfigurationProblem.list(problems, in: path) }
    var meaning: String? { "nothing was evaluated" }
    var remedy: String? { "correct the file; README.md shows a schedule under \"Discovery, tracking, resume\"" }
    var exitStatus: ExitStatus { .configuration }
}

/// The schedule itself can't be read.
struct UnreadableSchedule: OperatorError {
    var error: SystemError

    var what: String { error.what }
    var remedy: String? { "give the path of a schedule, a .toml or .csv file; README.md shows one" }
    var exitStatus: ExitStatus { .configuration }
}
