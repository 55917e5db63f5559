import BeaconModel

/// One thing that is wrong in a configuration or inventory file.
struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// `line 3, column 7`, the path of a key, `modules[1].major`, or the cell of a table: `row 7 (door), column major`.
    var location: String
    var found: String
    var allowed: String
    /// The file that it is in, when that is one which the file that is read names.
    var file: String?

    init(location: String, found: String, allowed: String, file: String? = nil) {
        self.location = location
        self.found = found
        self.allowed = allowed
        self.file = file
    }

    var description: String { "\(location): \(found); \(allowed)" }

    /// More are only counted: a table can have a mistake in each row.
    private static let mostListed = 100

    /// How many problems `path` has, and a line for each.
    static func list(_ problems: [ConfigurationProblem], in path: String) -> String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        var files: [String] = []
        for problem in problems where !files.contains(problem.file ?? path) { files.append(problem.file ?? path) }
        let have = files.count > 1 ? "have" : "has"
        var lines = ["\(files.joined(separator: " and ")) \(have) \(count)"]
        lines += problems.prefix(mostListed).map { "  \($0.file ?? path): \($0)" }
        if problems.count > mostListed { lines.append("  and \(problems.count - mostListed) more") }
        return lines.joined(separator: "\n")
    }
}

/// Everything that is wrong in a configuration file, at once.
struct ConfigurationError: OperatorError {
    var path: String
    var problems: [ConfigurationProblem]

    var what: String { ConfigurationProblem.list(problems, in: path) }
    var meaning: String? { "nothing was started" }
    var remedy: String? { "correct the file; README.md shows a complete one" }
    var exitStatus: ExitStatus { .configuration }
}
