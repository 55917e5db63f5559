package import BeaconModel
package import OperatorText

/// All problems of an inventory file.
package struct InventoryError: OperatorError, Equatable {
    package var path: String
    package var problems: [ConfigurationProblem]

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "nothing was started" }
    package var remedy: String? {
        "correct the file; each module requires name, module, uuid, major and minor, and docs/guide/modules.md lists "
            + "the others"
    }
    package var exitStatus: ExitStatus { .configuration }
}
