package import BeaconModel
package import OperatorText

/// Everything that is wrong in a schedule, at once.
package struct ScheduleError: OperatorError, Equatable {
    package var path: String
    package var problems: [ConfigurationProblem]

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "nothing was evaluated" }
    package var remedy: String? { "correct the file; docs/guide/field-test.md shows a schedule" }
    package var exitStatus: ExitStatus { .configuration }
}

/// The schedule itself can't be read.
package struct UnreadableSchedule: OperatorError {
    package var error: SystemError

    package init(error: SystemError) {
        self.error = error
    }

    package var what: String { error.what }
    package var remedy: String? {
        "give the path of a schedule, a .toml or .csv file; docs/guide/field-test.md shows one"
    }
    package var exitStatus: ExitStatus { .configuration }
}
