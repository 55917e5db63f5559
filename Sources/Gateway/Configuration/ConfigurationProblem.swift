import BeaconModel

/// One thing that is wrong in a configuration file.
struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// `line 3, column 7`, or the path of a key: `modules[1].major`.
    var location: String
    var found: String
    var allowed: String

    var description: String { "\(location): \(found); \(allowed)" }
}

/// Everything that is wrong in a configuration file, at once.
struct ConfigurationError: OperatorError {
    var path: String
    var problems: [ConfigurationProblem]

    var what: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return (["\(path) has \(count)"] + problems.map { "  \(path): \($0)" }).joined(separator: "\n")
    }
    var meaning: String? { "nothing was started" }
    var remedy: String? { "correct the file; README.md shows a complete one" }
    var exitStatus: ExitStatus { .configuration }
}
