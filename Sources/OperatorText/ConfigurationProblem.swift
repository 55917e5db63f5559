package import BeaconModel

/// One thing that is wrong in a configuration or inventory file.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// `line 3, column 7`, the path of a key, `modules[1].major`, or the cell of a table: `row 7 (door), column major`.
    package var location: String
    package var found: String
    package var allowed: String
    /// The file that it is in, when that is one which the file that is read names.
    package var file: String?

    package init(location: String, found: String, allowed: String, file: String? = nil) {
        self.location = location
        self.found = found
        self.allowed = allowed
        self.file = file
    }

    /// One line, without characters that a terminal obeys: keys, values and the TOML library's own words come from the
    /// file.
    package var description: String {
        "\(location.shown(upTo: Self.longestPart)): \(found.shown(upTo: Self.longestPart)); "
            + allowed.shown(upTo: 2 * Self.longestPart)
    }

    /// In Unicode scalars; what is allowed may be a list of keys.
    private static let longestPart = 1000

    /// More are only counted: a table can have a mistake in each row.
    private static let mostListed = 100

    /// How many problems `path` has, and a line for each.
    package static func list(_ problems: [ConfigurationProblem], in path: String) -> String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        var files: [String] = []
        for problem in problems where !files.contains(problem.file ?? path) { files.append(problem.file ?? path) }
        let have = files.count > 1 ? "have" : "has"
        var lines = ["\(files.map(shown).joined(separator: " and ")) \(have) \(count)"]
        lines += problems.prefix(mostListed).map { "  \(shown($0.file ?? path)): \($0)" }
        if problems.count > mostListed { lines.append("  and \(problems.count - mostListed) more") }
        return lines.joined(separator: "\n")
    }

    /// The path of a file, which another file may have named; no path is longer.
    private static func shown(_ path: String) -> String { path.shown(upTo: 4096) }
}

/// Everything that is wrong in a configuration file, at once.
package struct ConfigurationError: OperatorError {
    package var path: String
    package var problems: [ConfigurationProblem]

    package init(path: String, problems: [ConfigurationProblem]) {
        self.path = path
        self.problems = problems
    }

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "nothing was started" }
    package var remedy: String? { "correct the file; docs/guide/configuration.md shows a complete one" }
    package var exitStatus: ExitStatus { .configuration }
}
