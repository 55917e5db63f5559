package import BeaconModel
package import OperatorText

/// All problems in a schedule, reported together.
package struct ScheduleError: OperatorError, Equatable {
    package var path: String
    package var problems: [ConfigurationProblem]

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "nothing was evaluated" }
    package var remedy: String? { "correct the file; docs/guide/field-test.md shows a schedule" }
    package var exitStatus: ExitStatus { .configuration }
}

/// Failure to read the schedule file.
package struct UnreadableSchedule: OperatorError {
    package var error: SystemError

    package init(error: SystemError) {
        self.error = error
    }

    package var what: String { error.what }
    package var remedy: String? {
        "specify the path of a schedule, a .toml or .csv file; docs/guide/field-test.md shows one"
    }
    package var exitStatus: ExitStatus { .configuration }
}
