import BeaconModel
import OperatorText

/// Everything that is wrong in an inventory file, at once.
struct InventoryError: OperatorError, Equatable {
    var path: String
    var problems: [ConfigurationProblem]

    var what: String { ConfigurationProblem.list(problems, in: path) }
    var meaning: String? { "nothing was started" }
    var remedy: String? {
        "correct the file; a module needs name, module, uuid, major and minor, and README.md shows the others"
    }
    var exitStatus: ExitStatus { .configuration }
}
